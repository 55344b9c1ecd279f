import type { Static } from 'typebox';
import { line, ServerId, strict } from '../fields.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';

export const ChatRecord = strict({
  server_id: ServerId,
  role: line(1, 64),
  account: Type.Optional(line(0, 64)),
  channel: Type.Optional(line(0, 32)),
  content: Type.String({ minLength: 1, maxLength: 2000 }),
  sent_at: Type.Optional(Type.String({ format: 'date-time', maxLength: 40 })),
});
export type ChatRecord = Static<typeof ChatRecord>;

const reportChat = route({
  method: 'POST',
  path: '/api/report/chat',
  auth: 'game_server',
  fastPath: true,
  tag: 'game servers',
  summary: 'Report one chat record or a batch; stores all or none',
  form: true,
  bodyLimit: 256 * 1024,
  body: Type.Union([ChatRecord, strict({ records: Type.Array(ChatRecord, { minItems: 1, maxItems: 200 }) })]),
  answers: { 200: { description: 'Durable', schema: strict({ accepted: Type.Integer() }) } },
  refusals: ['caller_not_allowed', 'too_many_attempts', 'unavailable'],
});

export const chatRoutes = { reportChat };

import type { Static } from 'typebox';
import { line, orNull, ServerId, strict, Time } from '../fields.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';
import { page, pageQuery } from './list.ts';

export const ChatLine = strict({
  id: Type.Integer(),
  server_id: Type.Integer(),
  account: Type.String(),
  role: Type.String(),
  channel: Type.String(),
  content: Type.String(),
  sent_at: orNull(Time),
  received_at: Time,
});
export type ChatLine = Static<typeof ChatLine>;

const read = { auth: 'operator', permission: 'chat.read', tag: 'chat', method: 'GET' } as const;

const listChat = route({
  ...read,
  path: '/api/admin/chat',
  audit: 'export',
  summary: 'Search the reported chat',
  query: strict({
    ...pageQuery,
    server_id: Type.Optional(ServerId),
    account: Type.Optional(line(1, 64)),
    role: Type.Optional(line(1, 64)),
    channel: Type.Optional(line(1, 32)),
    q: Type.Optional(line(1, 200, 'Any part of the content; needs `from` and a span of at most 7 days.')),
    from: Type.Optional(Time),
    to: Type.Optional(Time),
  }),
  answers: { 200: { description: 'Newest first', schema: page('chat', ChatLine) } },
  refusals: ['server_not_found'],
});

const chatContext = route({
  ...read,
  path: '/api/admin/chat/:id/context',
  summary: 'Get the messages around a message in the same zone and channel',
  params: strict({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }),
  answers: {
    200: {
      description: 'The message with the 20 before and the 20 after it, oldest first',
      schema: strict({ chat: Type.Array(ChatLine) }),
    },
  },
  refusals: ['not_found'],
});

export const chatRoutes = { listChat, chatContext };

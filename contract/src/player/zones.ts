import type { Static } from 'typebox';
import { CurrentServerId, OriginServerId, orNull, ServerId, strict, Time } from '../fields.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';

export const zoneStatuses = ['open', 'new', 'busy', 'full', 'maintenance', 'closed'] as const;
export type ZoneStatus = (typeof zoneStatuses)[number];

const Address = {
  server_id: ServerId,
  name: Type.String(),
  address: Type.String(),
  port: Type.Integer(),
};

export const ListedZone = strict({
  ...Address,
  status: Type.Enum(zoneStatuses),
  opened_at: orNull({
    ...Time,
    description: 'If it is in the future, the zone opens automatically at that time and is `new` until then.',
  }),
  message: Type.Optional(Type.String({ description: 'The operator’s message about a maintenance.' })),
  maintenance_until: Type.Optional({ ...Time, description: 'When the maintenance ends automatically.' }),
  up: Type.Optional(Type.Boolean({ description: 'Whether the game port answered the last probe.' })),
});
export type ListedZone = Static<typeof ListedZone>;

const serverList = route({
  method: 'GET',
  path: '/api/server/list',
  auth: 'none',
  fastPath: true,
  tag: 'zones',
  summary: 'List the game zones, ordered for display',
  answers: {
    200: {
      description: 'Every zone that is not closed',
      schema: strict({ servers: Type.Array(ListedZone) }),
    },
    304: { description: 'Unchanged since the ETag that the caller sent' },
  },
  refusals: [],
});

const enterGame = route({
  method: 'POST',
  path: '/api/enter_game',
  auth: 'player',
  fastPath: true,
  tag: 'zones',
  summary: 'Enter a zone: records the login and returns what the game client needs',
  secret: true,
  body: strict({ server_id: ServerId }),
  answers: {
    200: {
      description: 'Entered',
      schema: strict({
        account: Type.String(),
        token: Type.String({
          description: 'The token that the game client sends to its game server; it is not a session.',
        }),
        server: strict({ ...Address, origin_server_id: OriginServerId }),
        server_id: CurrentServerId,
        origin_server_id: OriginServerId,
        launch_url: Type.String({
          description: 'URL of the game client to open or embed. It names the zone and contains no token.',
        }),
      }),
    },
  },
  refusals: ['server_not_found', 'server_closed', 'account_suspended', 'too_many_attempts'],
});

export const zoneRoutes = { serverList, enterGame };

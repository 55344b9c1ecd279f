import type { Static, TSchema } from 'typebox';
import { orNull, ServerId, strict, Time } from '../fields.ts';
import { withdrawStates } from '../player/withdrawals.ts';
import { zoneStatuses } from '../player/zones.ts';
import { Type } from '../type.ts';

const player = { player_id: Type.Integer(), account: Type.String() };
const zone = { server_id: ServerId, name: Type.String() };
const Text = orNull(Type.String());

const Withdrawal = strict({
  id: Type.String(),
  player_id: Type.Integer(),
  server_id: ServerId,
  role_id: orNull(Type.Integer()),
  role_name: Text,
  amount: Type.Integer(),
  state: Type.Enum(withdrawStates),
  result_code: orNull(Type.String({ description: 'Why it failed.' })),
});

/** The `data` of each event. Never a secret, nor a password, e-mail or address of a player. */
export const webhookData = {
  'player.registered': strict({
    ...player,
    server_id: orNull(ServerId),
    agent_id: orNull(Type.Integer({ description: 'The promoter.' })),
  }),
  'player.banned': strict({ ...player, reason: Text, until: orNull(Time), by: Type.String() }),
  'player.unbanned': strict({ ...player, reason: Text, by: Type.String() }),
  'player.deleted': strict({ player_id: Type.Integer() }),
  'withdraw.done': Withdrawal,
  'withdraw.failed': Withdrawal,
  'withdraw.unknown': Withdrawal,
  'zone.status': strict({
    ...zone,
    status: Type.Enum(zoneStatuses),
    previous: Type.Enum(zoneStatuses),
    message: Text,
    maintenance_until: orNull(Time),
    by: Type.String(),
  }),
  'zone.down': strict(zone),
  'zone.up': strict({ ...zone, down_since: Time }),
  'operator.login_failed': strict({
    count: Type.Integer(),
    from: Time,
    to: Time,
    operators: Type.Array(strict({ name: Type.String(), count: Type.Integer() })),
  }),
  'doctor.failing': strict({
    failing: Type.Array(strict({ check: Type.String(), detail: Type.String() })),
  }),
} satisfies Record<string, TSchema>;

export type WebhookEventType = keyof typeof webhookData;
export const webhookEventTypes = Object.keys(webhookData) as WebhookEventType[];

export type WebhookData<T extends WebhookEventType = WebhookEventType> = Static<(typeof webhookData)[T]>;

/** An event as the service writes it, before it has an id and a time. */
export type WebhookEvent = {
  [T in WebhookEventType]: { readonly type: T; readonly data: WebhookData<T> };
}[WebhookEventType];

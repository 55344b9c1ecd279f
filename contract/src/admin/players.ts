import type { Static } from 'typebox';
import { Amount, Email, line, orNull, strict, Time } from '../fields.ts';
import { withdrawStates } from '../player/withdrawals.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';
import { audited, page, pageQuery, Reason } from './list.ts';

export const PlayerId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const playerStatuses = ['active', 'banned'] as const;
export type PlayerStatus = (typeof playerStatuses)[number];

const listed = {
  player_id: PlayerId,
  account: Type.String(),
  email: Type.String({ description: 'Masked without the permission to see it.' }),
  status: Type.Enum(playerStatuses, { description: 'The current status; an expired ban counts as none.' }),
  created_at: orNull({ ...Time, description: 'Null for an imported account without a registration time.' }),
  last_login_at: orNull(Time),
  last_server_id: orNull(Type.Integer()),
  agent_id: orNull(Type.Integer()),
};
export const ListedPlayer = strict(listed);
export type ListedPlayer = Static<typeof ListedPlayer>;

export const PlayerLogin = strict({
  at: Time,
  kind: Type.String({ description: '`login`, `register`, `forum`, `enter` or `refused`.' }),
  code: orNull(Type.String({ description: 'Why it was refused.' })),
  server_id: orNull(Type.Integer()),
  ip: Type.String(),
  agent: Type.String(),
});

const PlayerEvent = strict({
  at: Time,
  kind: Type.String({
    description:
      '`password`, `password_reset`, `email`, `name`, `two_factor_on`, `two_factor_off`, `recovery_codes`, `linked`, `unlinked`, `signed_out`, `deletion` or `deletion_cancelled`.',
  }),
  detail: orNull(
    Type.String({
      description: 'The former e-mail address or name, or the provider of a linked account.',
    }),
  ),
  ip: Type.String(),
  agent: Type.String(),
});

const PlayerWithdrawal = strict({
  id: Type.String(),
  server_id: Type.Integer(),
  role_name: Type.String(),
  amount: Amount,
  state: Type.Enum(withdrawStates),
  created_at: Time,
});

const PlayerNote = strict({ id: Type.Integer(), text: Type.String(), by: Type.String(), at: Time });

export const PlayerPage = strict({
  ...listed,
  ban_reason: orNull(Type.String()),
  banned_until: orNull(Time),
  server_id: orNull(Type.Integer({ description: 'The zone chosen at registration.' })),
  ip: Type.String({ description: 'Where the account was registered.' }),
  last_login_ip: orNull(Type.String()),
  login_count: Type.Integer(),
  legacy_seen_at: orNull({ ...Time, description: 'When the player last used a token that never expires.' }),
  device: Type.String(),
  os: Type.String(),
  browse: Type.String(),
  two_factor: Type.Boolean(),
  last_entry_at: orNull({ ...Time, description: 'The last game entry, as far as the history reaches.' }),
  muted_until: orNull({ ...Time, description: 'Present while the player is muted in chat.' }),
  mute_reason: orNull(Type.String()),
  password_temporary: Type.Boolean({ description: 'An operator made the password.' }),
  deletion_at: orNull(
    Type.String({
      format: 'date-time',
      description: 'When the account is erased at its owner’s request; a login before then cancels it.',
    }),
  ),
  bindings: Type.Array(strict({ provider: Type.String(), connect_id: Type.String(), bound_at: Time })),
  notes: Type.Array(PlayerNote),
  logins: Type.Array(PlayerLogin, { description: 'The last 20.' }),
  events: Type.Array(PlayerEvent, { description: 'What the player did to the account, the last 50.' }),
  withdrawals: Type.Array(PlayerWithdrawal, { description: 'The last 20.' }),
  same_address: Type.Array(
    strict({ player_id: PlayerId, account: Type.String(), status: Type.Enum(playerStatuses) }),
    { description: 'Other accounts from the same addresses, at most 20.' },
  ),
});
export type PlayerPage = Static<typeof PlayerPage>;

const read = { auth: 'operator', permission: 'read', tag: 'players' } as const;
const write = { auth: 'operator', permission: 'players.write', tag: 'players', method: 'POST' } as const;
const ofPlayer = strict({ player_id: PlayerId });

const listPlayers = route({
  ...read,
  method: 'GET',
  path: '/api/admin/players',
  audit: 'export',
  summary: 'Find players',
  query: strict({
    ...pageQuery,
    q: Type.Optional(
      line(
        1,
        254,
        'An account or its beginning, a player id, a connect_id or a withdrawal id; with `personal` also an IP address, or an e-mail address that the player has or had in the last 30 days.',
      ),
    ),
    status: Type.Optional(Type.Enum(playerStatuses)),
    agent_id: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  }),
  answers: {
    200: {
      description: 'Newest first; with `q`, players whose account starts with it, sorted by name',
      schema: page('players', ListedPlayer),
    },
  },
  refusals: [],
});

const showPlayer = route({
  ...read,
  method: 'GET',
  path: '/api/admin/players/:player_id',
  summary: 'Get a player with all details except secrets',
  params: ofPlayer,
  answers: { 200: { description: 'The player', schema: PlayerPage } },
  refusals: ['account_not_found'],
});

const changed = { 200: { description: 'Done', schema: audited(listed) } };

const banPlayer = route({
  ...write,
  path: '/api/admin/players/:player_id/ban',
  audit: 'player.ban',
  summary: 'Ban an account and revoke its tokens; the reason is shown to the player',
  params: ofPlayer,
  body: strict({ reason: Reason, until: Type.Optional(Time) }),
  answers: changed,
  refusals: ['account_not_found'],
});

const unbanPlayer = route({
  ...write,
  path: '/api/admin/players/:player_id/unban',
  audit: 'player.unban',
  summary: 'Lift a ban',
  params: ofPlayer,
  body: strict({ reason: Reason }),
  answers: changed,
  refusals: ['account_not_found'],
});

const mutePlayer = route({
  ...write,
  path: '/api/admin/players/:player_id/mute',
  audit: 'player.mute',
  summary: 'Mute a player in the game’s chat until a time; game servers read it from `/api/check`',
  params: ofPlayer,
  body: strict({ reason: Reason, until: Time }),
  answers: changed,
  refusals: ['account_not_found'],
});

const unmutePlayer = route({
  ...write,
  path: '/api/admin/players/:player_id/unmute',
  audit: 'player.unmute',
  summary: 'Lift a mute',
  params: ofPlayer,
  body: strict({ reason: Reason }),
  answers: changed,
  refusals: ['account_not_found'],
});

const signOutPlayer = route({
  ...write,
  path: '/api/admin/players/:player_id/sign_out',
  audit: 'player.sign_out',
  summary: 'Revoke all tokens of an account',
  params: ofPlayer,
  body: strict({ reason: Type.Optional(Reason) }),
  answers: changed,
  refusals: ['account_not_found'],
});

const unlockPlayer = route({
  ...write,
  path: '/api/admin/players/:player_id/unlock',
  audit: 'player.unlock',
  summary: 'Reset the counters of wrong passwords and codes, so that the owner can log in again',
  params: ofPlayer,
  body: strict({ reason: Type.Optional(Reason) }),
  answers: changed,
  refusals: ['account_not_found'],
});

const resetPlayerPassword = route({
  ...write,
  path: '/api/admin/players/:player_id/reset_password',
  audit: 'player.reset_password',
  summary: 'Reset the password of an account, turn off its two-factor login and revoke its tokens',
  params: ofPlayer,
  body: strict({ reason: Reason }),
  answers: {
    200: {
      description: 'The new password, shown once',
      schema: audited({ temporary_password: Type.String() }),
    },
  },
  refusals: ['account_not_found'],
});

const resetPlayerTwoFactor = route({
  ...write,
  path: '/api/admin/players/:player_id/reset_two_factor',
  audit: 'player.reset_two_factor',
  summary: 'Turn off two-factor login of an account and revoke its tokens; the password stays',
  params: ofPlayer,
  body: strict({ reason: Reason }),
  answers: changed,
  refusals: ['account_not_found'],
});

const setPlayerEmail = route({
  ...write,
  path: '/api/admin/players/:player_id/email',
  audit: 'player.set_email',
  summary: 'Change the e-mail address of an account and revoke its tokens',
  params: ofPlayer,
  body: strict({ email: Email, reason: Reason }),
  answers: changed,
  refusals: ['account_not_found', 'email_taken'],
});

const addPlayerNote = route({
  ...write,
  path: '/api/admin/players/:player_id/notes',
  audit: 'player.note',
  summary: 'Add a note for other operators',
  params: ofPlayer,
  body: strict({
    text: Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S', description: 'Plain text.' }),
  }),
  answers: { 201: { description: 'Saved', schema: audited({ id: Type.Integer() }) } },
  refusals: ['account_not_found'],
});

export const playerRoutes = {
  listPlayers,
  showPlayer,
  banPlayer,
  unbanPlayer,
  mutePlayer,
  unmutePlayer,
  resetPlayerTwoFactor,
  signOutPlayer,
  unlockPlayer,
  resetPlayerPassword,
  setPlayerEmail,
  addPlayerNote,
};

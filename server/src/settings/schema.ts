import { Type } from '@gatehouse/contract';
import type { Static, TProperties, TUnsafe } from 'typebox';
import { ForumProviderSchema } from './forum-provider.ts';

/** A table of the settings file, with all its defaults even if the file omits it. */
function table<P extends TProperties>(properties: P) {
  return Type.Object(properties, { additionalProperties: false, default: {} });
}

const text = (value: string, description: string) => Type.String({ default: value, description });
const optionalText = (description: string) => Type.Optional(Type.String({ minLength: 1, description }));
const flag = (value: boolean, description: string) => Type.Boolean({ default: value, description });
const whole = (value: number, description: string, minimum = 0) =>
  Type.Integer({ default: value, minimum, maximum: Number.MAX_SAFE_INTEGER, description });
const list = (value: string[], description: string) =>
  Type.Array(Type.String(), { default: value, description });
/** A list that may be written as a single string. */
const oneOrMore = (description: string) =>
  Type.Array(Type.String(), { minItems: 1, oneOrMore: true, description });
const choice = <const C extends string>(values: readonly C[], value: NoInfer<C>, description: string) =>
  Type.Enum(values as readonly C[] & string[], { default: value, description }) as unknown as TUnsafe<C>;
const seconds = (value: number, description: string) => whole(value, `${description}, in seconds`, 1);

const limit = (points: number, window: number, who: string) =>
  table({ limit: whole(points, `how many ${who}`, 1), window: seconds(window, 'within') });

export const SettingsSchema = table({
  port: Type.Integer({ default: 3001, minimum: 0, maximum: 65535, description: 'TCP port to listen on' }),
  host: text('0.0.0.0', 'address to listen on'),
  public_url: text('http://localhost:3001', 'where browsers reach the front end'),
  trust_proxy: list([], 'addresses and blocks of proxies in front, whose X-Forwarded-For is believed'),
  deny_ip: list([], 'addresses, CIDR blocks and ranges that are refused everything'),
  day_max_reg: whole(1000, 'registrations per day; 0 closes registration'),
  time_zone: text('Asia/Shanghai', 'where a day turns'),
  log: table({
    level: choice(['debug', 'info', 'warn', 'error', 'silent'], 'info', 'least level that is logged'),
    file: optionalText('log to this file instead of standard output'),
    accounts: choice(
      ['hash', 'name', 'none'],
      'hash',
      'how lines of refused requests name the account: as a keyed hash, by its name, not at all; `gatehouse log why` finds the first two',
    ),
    addresses: choice(
      ['full', 'block'],
      'full',
      'how lines name the address of a request: in full, or only its block, such as 203.0.113.*, which tells of nobody after an account was erased',
    ),
  }),
  http: table({
    fast_path: flag(true, 'answer the busiest routes past the router, on the pinned Node'),
    connections_per_address: whole(
      1000,
      'most connections of one address, or of one IPv6 /64, to each process; loopback and `trust_proxy` have no limit',
      1,
    ),
  }),
  metrics: table({ ip: list([], 'who may read /api/metrics, beside loopback') }),
  database: table({
    url: text(
      'sqlite:data/gatehouse.db',
      '`sqlite:file` or `mysql://user:password@host:3306/name`; the hosts of a cluster comma separated. Encrypted with `?tls=true`, and `&ca=FILE`, `&cert=FILE&key=FILE` for certificates',
    ),
  }),
  redis: table({
    url: optionalText(
      '`redis://host:6379` or `redis+sentinel://host:26379,host:26379/master`: throttles shared by all instances. Encrypted with `rediss://`, and `?ca=FILE&cert=FILE&key=FILE` for certificates',
    ),
  }),
  auth: table({
    password_key: Type.String({ minLength: 1, description: '<PASSWORD_KEY> of the old generation' }),
    jwt_secret: oneOrMore(
      'signs the tokens; at least 32 bytes. Or a list of such: the first signs, tokens of all are good',
    ),
    seal_key: Type.Optional(
      oneOrMore(
        'seals the password hashes of players and all two-factor secrets in the database; at least 32 bytes. Or a list of such: the first seals, all open',
      ),
    ),
    game_token: choice(
      ['jwt', 'legacy', 'ticket'],
      'jwt',
      'what enter_game hands to the game client: a game token, the old md5 token, or a ticket that is good once',
    ),
    ticket_ttl: seconds(60, 'how long a ticket is good'),
    legacy_tokens: flag(true, 'whether /api/check takes the md5 tokens of old game clients'),
    password_min: whole(8, 'fewest characters of a new password', 1),
    password_max: whole(72, 'most characters of a new password', 8),
    refuse_common_passwords: flag(true, 'refuse passwords that everybody knows'),
    reserved_accounts: list(
      ['admin', 'administrator', 'root', 'system', 'support', 'official', 'gatehouse', 'gm', 'game_master'],
      'account names that nobody may register',
    ),
  }),
  account: table({
    deletion_days: whole(
      7,
      'days until an account is erased whose owner asked for it; a login before cancels it',
    ),
  }),
  mail: table({
    url: text('outbox:data/outbox', '`smtp://user:password@host:587`, or a folder for .eml files'),
    from: text('Gatehouse <no-reply@localhost>', 'sender of the mails'),
    refuse_disposable: flag(false, 'refuse throw-away e-mail domains at registration'),
    notices: flag(
      true,
      'tell players by mail of a new password, e-mail address or second factor, and of withdrawals',
    ),
  }),
  game: table({ name: text('Gatehouse', 'name of the game, shown to players') }),
  client: table({
    url: text('/playground/client/', 'the game client that enter_game launches'),
    handoff: choice(['iframe', 'redirect'], 'iframe', 'how the page hands over to the game client'),
  }),
  zones: table({
    database_url: optionalText(
      'server of the game databases: `mysql://user:password@host:port` or `sqlite:folder`',
    ),
    database_name: text('mir_actor_s{server_id}', 'name of a zone’s game database'),
    table: text('actors', 'table of the roles'),
    columns: table({
      role_id: text('actorid', 'column of the role’s id'),
      role_name: text('actorname', 'column of the role’s name'),
      account: text('accountname', 'column of the owner’s account name'),
      level: text('level', 'column of the role’s level'),
      balance: text('nonbindyuanbao', 'column of the currency'),
      online: optionalText('column that is 0 while the role is offline, if the game keeps one'),
    }),
    role_prefix: optionalText(
      'what the game puts before the names of roles that came by a merge, such as `s{server_id}.` with the number of the zone they came from: a role that is named as on its old zone is then found',
    ),
    save_interval: whole(300, 'how lazily the game saves balances, in seconds'),
    allowed_hosts: list(
      [],
      'hosts that a zone’s gm_url and database_url may lead to: names, addresses, blocks, ranges; empty = all but link-local and metadata addresses',
    ),
    probe_interval: whole(0, 'ask each game port whether it is up this often, in seconds; 0 = never'),
  }),
  gm: table({
    operation: whole(10030, 'operation id of the deduction'),
    receipt_operation: Type.Optional(
      Type.Integer({ minimum: 1, description: 'operation id that asks for a receipt by order, if any' }),
    ),
    receipt_after: seconds(60, 'how old a command must be before a receipt of "not executed" is believed'),
    method: choice(['GET', 'POST'], 'GET', 'how the command is sent'),
    timeout: seconds(5, 'how long the game server may take'),
    params: table({
      operation: text('operid', 'parameter of the operation id'),
      server_id: text('serverid', 'parameter of the zone'),
      role_id: text('roleid', 'parameter of the role’s id'),
      role_name: text('rolename', 'parameter of the role’s name'),
      amount: text('amount', 'parameter of the amount'),
      order: text('order', 'parameter of the withdrawal’s id'),
      signature: text('sign', 'parameter of the signature, sent when gm.key is set'),
    }),
    signature_version: Type.Integer({
      default: 1,
      minimum: 1,
      maximum: 2,
      description:
        'what gm.key signs: 1 = values as they are, 2 = values escaped, so that no value can pass for another parameter',
    }),
    success: table({
      fields: list(['result', 'code'], 'JSON fields that tell the result; the first present decides'),
      value: text('0', 'what the field says on success'),
    }),
    key: optionalText('signs the command: hex HMAC-SHA256 over the sorted parameters'),
  }),
  withdraw: table({
    enabled: flag(true, 'whether players may withdraw'),
    currency: text('元宝', 'name of the currency'),
    min: whole(1, 'smallest amount', 1),
    max: whole(100_000, 'largest amount', 1),
    step: whole(1, 'amounts are multiples of this', 1),
    daily_max: whole(1_000_000, 'most per account and day; 0 = no maximum'),
    rate: Type.Number({ default: 1, minimum: 0, description: 'what one unit is worth, shown to players' }),
    requests_per_minute: whole(30, 'requests of one player for roles, and as many for withdrawals', 1),
    refused_per_day: whole(
      200,
      'withdrawals of one player that may be refused on a day; then no more are taken',
      1,
    ),
    hold_after_reset: whole(0, 'seconds without withdrawals after a password reset or a new e-mail address'),
    two_person_above: whole(
      0,
      'from this amount up two operators must say the same to settle an unknown withdrawal; 0 = off',
    ),
    resolve_by_balance: flag(false, 'let reconciliation take an exact balance as proof'),
  }),
  forum: ForumProviderSchema,
  providers: Type.Record(Type.String(), ForumProviderSchema, {
    default: {},
  }),
  game_servers: table({
    ip: list([], 'addresses of game servers, beside loopback and the server table'),
    key: optionalText('callbacks must be signed with this'),
    signature: choice(['enforce', 'observe'], 'enforce', 'refuse unsigned callbacks, or only log them'),
    bind: choice(
      ['confirm', 'open', 'off'],
      'confirm',
      'bind_account: the first login through the link asks for the password once, or not, or the call is refused',
    ),
  }),
  chat: table({
    from: choice(['anyone', 'game_servers'], 'anyone', 'who may report chat'),
    limit: whole(600, 'reports a minute from an address that is no game server’s', 1),
    bytes: whole(4 * 1024 * 1024, 'bytes of reports an hour from an address that is no game server’s', 1),
    queue: whole(20_000, 'records that may wait to be written', 200),
    retention_days: whole(0, 'chat older than this is deleted; 0 = kept'),
  }),
  console: table({
    enabled: flag(true, 'whether operators have a console and an API; without it both are 404'),
    ip: list(
      [],
      'who may reach the console and the operators’ API: addresses, blocks, ranges; empty = anybody',
    ),
    session_hours: whole(12, 'how long a session of an operator lasts, in hours', 1),
    idle_minutes: whole(30, 'how long it lasts without a request, in minutes', 1),
    require_totp: flag(true, 'whether operators must set up two-factor login before anything else'),
  }),
  audit: table({
    retention_days: whole(0, 'records of operators’ changes older than this are deleted; 0 = kept'),
  }),
  history: table({
    retention_days: whole(90, 'logins of players older than this are deleted; 0 = kept'),
  }),
  site: table({
    agreement: optionalText(
      'the user agreement, an HTML file; one in English beside it, agreement.en.html for agreement.html, is used where there is one; by default those that come along',
    ),
    support: optionalText('where players find help: an e-mail address, a URL, or a line of text'),
    privacy: optionalText('URL of the privacy policy'),
  }),
  doctor: table({
    acknowledged: list(
      [],
      'what `gatehouse doctor` warns of and you want as it is, each as `check: reason`, such as `chat.from: our bot reports chat`',
    ),
  }),
  retired: table({
    api: list(['/api', '/api.php'], 'old API entries, answered 410'),
    callback: list(['/callback.php'], 'old OAuth callback pages, answered 410'),
    server_list: list(['/server.php'], 'old server list pages, answered 410'),
    login: list(['/login.php'], 'old login pages, answered 301 to the front end'),
  }),
  challenge: table({
    mode: choice(
      ['off', 'pressure', 'always'],
      'pressure',
      'when a proof of work is wanted: never; for codes and registrations under pressure; always, for logins too',
    ),
    pressure: whole(20, 'codes and registrations a minute from one /24 or IPv6 /64 that need none', 0),
    pressure_total: whole(300, 'the same from everywhere', 0),
    max_number: whole(50_000, 'how far a client may have to count; 50000 is about a second on a phone', 1000),
  }),
  login_throttle: table({
    account_address: limit(5, 900, 'failures for one account from one address'),
    address: limit(50, 3600, 'failures from one address'),
    account: limit(100, 3600, 'failures for one account from anywhere'),
    player: limit(60, 60, 'successful logins of one player, and as many entries; counted by each process'),
  }),
  code_throttle: table({
    email: limit(1, 60, 'codes for one purpose to one e-mail address'),
    address: limit(10, 3600, 'codes asked for by one client address'),
    wrong_per_email: whole(
      20,
      'wrong codes a day for one e-mail address, whatever codes it was sent; the usual addresses of its account have as many of their own',
      1,
    ),
    wrong_block: limit(200, 86_400, 'wrong codes from one /24, or one IPv6 /64'),
  }),
});

export type Settings = Static<typeof SettingsSchema>;

/** Settings that take effect while running. All others need a restart. */
export const liveSettings = [
  'deny_ip',
  'day_max_reg',
  'login_throttle',
  'code_throttle',
  'challenge',
  'withdraw',
  'log.level',
] as const;

export function isLive(path: readonly string[]): boolean {
  const name = path.join('.');
  return liveSettings.some((live) => name === live || name.startsWith(`${live}.`));
}

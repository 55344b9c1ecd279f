import { siteFields, Type } from '@gatehouse/contract';
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
  public_url: text('http://localhost:3001', 'URL at which browsers reach the front end'),
  trust_proxy: list([], 'addresses and blocks of the proxies in front whose X-Forwarded-For is trusted'),
  deny_ip: list([], 'addresses, CIDR blocks and ranges whose requests are all refused'),
  day_max_reg: whole(1000, 'maximum number of registrations per day; 0 closes registration'),
  time_zone: text('Asia/Shanghai', 'time zone that defines the day'),
  log: table({
    level: choice(['debug', 'info', 'warn', 'error', 'silent'], 'info', 'lowest level that is logged'),
    file: optionalText('log to this file instead of standard output'),
    accounts: choice(
      ['hash', 'name', 'none'],
      'hash',
      'how log lines of refused requests identify the account: as a keyed hash, by name, or not at all; `gatehouse log why` finds the first two',
    ),
    addresses: choice(
      ['full', 'block'],
      'full',
      'how log lines record the address of a request: in full, or only its block, such as 203.0.113.*, which identifies nobody after an account is erased',
    ),
  }),
  http: table({
    fast_path: flag(true, 'answer the busiest routes without the router, on the pinned Node version'),
    connections_per_address: whole(
      1000,
      'maximum number of connections from one address, or one IPv6 /64, to each process; loopback and `trust_proxy` are not limited',
      1,
    ),
  }),
  metrics: table({ ip: list([], 'addresses that may read /api/metrics, in addition to loopback') }),
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
    password_key: Type.String({ minLength: 1, description: '<PASSWORD_KEY> of the previous generation' }),
    jwt_secret: oneOrMore(
      'signs the tokens; at least 32 bytes. Or a list: the first signs, tokens of all of them are valid',
    ),
    seal_key: Type.Optional(
      oneOrMore(
        'encrypts the password hashes of players and all two-factor secrets in the database; at least 32 bytes. Or a list: the first encrypts, all of them decrypt',
      ),
    ),
    password_hash: choice(
      ['md5', 'argon2id'],
      'md5',
      'how passwords of players are stored: as md5, which game servers can compare, or as argon2id over it. argon2id needs `legacy_tokens = false` and a `game_token` other than `legacy`',
    ),
    game_token: choice(
      ['jwt', 'legacy', 'ticket'],
      'jwt',
      'what enter_game gives to the game client: a game token, the old md5 token, or a ticket that works once',
    ),
    ticket_ttl: seconds(60, 'how long a ticket is valid'),
    legacy_tokens: flag(true, 'whether /api/check accepts the md5 tokens of old game clients'),
    password_min: whole(8, 'minimum length of a new password', 1),
    password_max: whole(72, 'maximum length of a new password', 8),
    refuse_common_passwords: flag(true, 'refuse common passwords'),
    reserved_accounts: list(
      ['admin', 'administrator', 'root', 'system', 'support', 'official', 'gatehouse', 'gm', 'game_master'],
      'account names that nobody may register',
    ),
  }),
  account: table({
    deletion_days: whole(
      7,
      'days between a player’s request to delete the account and its erasure; a login before then cancels it',
    ),
  }),
  mail: table({
    url: text('outbox:data/outbox', '`smtp://user:password@host:587`, or `outbox:folder` for .eml files'),
    from: text('Gatehouse <no-reply@localhost>', 'sender of the mails'),
    refuse_disposable: flag(false, 'refuse disposable e-mail domains at registration'),
    notices: flag(
      true,
      'notify players by mail of changes to the password, e-mail address or two-factor login, and of withdrawals',
    ),
  }),
  game: table({ name: text('Gatehouse', 'name of the game, shown to players') }),
  client: table({
    url: text('/playground/client/', 'the game client that enter_game launches'),
    handoff: choice(['iframe', 'redirect'], 'iframe', 'how the page opens the game client'),
  }),
  zones: table({
    database_url: optionalText(
      'server of the game databases: `mysql://user:password@host:port` or `sqlite:folder`',
    ),
    database_name: text('mir_actor_s{server_id}', 'name of a zone’s game database'),
    table: text('actors', 'table of the roles'),
    columns: table({
      role_id: text('actorid', 'column of the role ID'),
      role_name: text('actorname', 'column of the role name'),
      account: text('accountname', 'column of the owner’s account name'),
      level: text('level', 'column of the role level'),
      balance: text('nonbindyuanbao', 'column of the currency'),
      online: optionalText('column that is 0 while the role is offline, if the game has one'),
    }),
    role_prefix: optionalText(
      'prefix that the game adds to the names of merged roles, such as `s{server_id}.` with the number of their origin zone; with it, a role is found by the name it had in its origin zone',
    ),
    save_interval: whole(300, 'how long the game may take to save balances, in seconds'),
    allowed_hosts: list(
      [],
      'hosts that gm_url and database_url of a zone may point to, and whose ports are tested: names, addresses, blocks, ranges; empty = all except link-local and metadata addresses',
    ),
    probe_interval: whole(0, 'interval between probes of each game port, in seconds; 0 = no probes'),
  }),
  gm: table({
    operation: whole(10030, 'operation ID of the deduction'),
    receipt_operation: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'operation ID that requests a receipt by order, if there is one',
      }),
    ),
    receipt_after: seconds(60, 'how old a command must be before a receipt of "not executed" is accepted'),
    method: choice(['GET', 'POST'], 'GET', 'how the command is sent'),
    timeout: seconds(5, 'timeout of the game server'),
    params: table({
      operation: text('operid', 'parameter name of the operation ID'),
      server_id: text('serverid', 'parameter name of the zone'),
      role_id: text('roleid', 'parameter name of the role ID'),
      role_name: text('rolename', 'parameter name of the role name'),
      amount: text('amount', 'parameter name of the amount'),
      order: text('order', 'parameter name of the withdrawal ID'),
      signature: text('sign', 'parameter name of the signature, which is sent if gm.key is set'),
    }),
    signature_version: Type.Integer({
      default: 1,
      minimum: 1,
      maximum: 2,
      description:
        'what gm.key signs: 1 = raw values, 2 = escaped values, so that no value can be read as another parameter',
    }),
    success: table({
      fields: list(['result', 'code'], 'JSON fields of the result; the first one present is used'),
      value: text('0', 'value of the field on success'),
    }),
    key: optionalText('signs the command: hex HMAC-SHA256 over the sorted parameters'),
  }),
  withdraw: table({
    enabled: flag(true, 'whether players may withdraw'),
    currency: text('元宝', 'name of the currency'),
    min: whole(1, 'smallest amount', 1),
    max: whole(100_000, 'largest amount', 1),
    step: whole(1, 'amounts must be multiples of this', 1),
    daily_max: whole(1_000_000, 'maximum per account and day; 0 = no limit'),
    rate: Type.Number({ default: 1, minimum: 0, description: 'value of one unit, shown to players' }),
    requests_per_minute: whole(
      30,
      'maximum number of requests per player for roles; the same limit applies to withdrawals',
      1,
    ),
    refused_per_day: whole(
      200,
      'how many withdrawals of a player can be refused per day before no more are accepted',
      1,
    ),
    hold_after_reset: whole(
      0,
      'seconds without withdrawals after a password reset, a new e-mail address or a two-factor reset by an operator',
    ),
    two_person_above: whole(
      0,
      'from this amount up two operators must agree to settle an unknown withdrawal; 0 = off',
    ),
    two_person_strict: flag(
      false,
      'two operators also count as one person if both got their access from the same operator within a day, or the second by a command after the proposal',
    ),
    resolve_by_balance: flag(false, 'accept an exactly matching balance as proof in reconciliation'),
  }),
  forum: ForumProviderSchema,
  providers: Type.Record(Type.String(), ForumProviderSchema, { default: {} }),
  game_servers: table({
    ip: list([], 'addresses of game servers, in addition to loopback and the server table'),
    key: optionalText('key with which callbacks must be signed'),
    signature: choice(['enforce', 'observe'], 'enforce', 'refuse unsigned callbacks, or only log them'),
    bind: choice(
      ['confirm', 'open', 'off'],
      'confirm',
      'bind_account: whether the first login through the binding asks for the password once or not, or the call is refused',
    ),
  }),
  chat: table({
    from: choice(['anyone', 'game_servers'], 'anyone', 'who may report chat'),
    limit: whole(600, 'maximum number of reports per minute from an address that is not a game server’s', 1),
    bytes: whole(
      4 * 1024 * 1024,
      'maximum bytes of reports per hour from an address that is not a game server’s',
      1,
    ),
    queue: whole(20_000, 'maximum number of records that wait to be written', 200),
    retention_days: whole(0, 'days after which chat is deleted; 0 = never'),
  }),
  console: table({
    enabled: flag(true, 'whether the console and the operators’ API are available; if not, both answer 404'),
    ip: list(
      [],
      'addresses, blocks and ranges that may reach the console and the operators’ API; empty = all',
    ),
    session_hours: whole(12, 'lifetime of an operator’s session, in hours', 1),
    idle_minutes: whole(30, 'idle timeout of an operator’s session, in minutes', 1),
    require_totp: flag(true, 'whether operators must use two-factor login'),
  }),
  audit: table({ retention_days: whole(0, 'days after which audit records are deleted; 0 = never') }),
  history: table({
    retention_days: whole(90, 'days after which the login history of players is deleted; 0 = never'),
  }),
  webhooks: table({
    private: flag(
      false,
      'whether webhooks may lead to loopback and private addresses, by http too; link-local and metadata addresses are refused always',
    ),
    retention_days: whole(30, 'deliveries older than this are deleted; 0 = kept'),
  }),
  site: table({
    agreement: optionalText(
      'HTML file of the user agreement. An English version in the same folder, such as agreement.en.html for agreement.html, is used if it exists. Default: the files that come with Gatehouse',
    ),
    title: Type.Optional(siteFields.title),
    slogan: Type.Optional(siteFields.slogan),
    slogan_en: Type.Optional(siteFields.slogan_en),
    accent: Type.Optional(siteFields.accent),
    links: Type.Optional(siteFields.links),
    footer: Type.Optional(siteFields.footer),
    footer_en: Type.Optional(siteFields.footer_en),
    icp: Type.Optional(siteFields.icp),
    police: Type.Optional(siteFields.police),
    support: optionalText('where players get help: an e-mail address, a URL or a line of text'),
    privacy: optionalText('URL of the privacy policy'),
    images: flag(false, 'whether news may show pictures of other sites, over https'),
  }),
  doctor: table({
    acknowledged: list(
      [],
      'warnings of `gatehouse doctor` that you accept, each as `check: reason`, such as `chat.from: our bot reports chat`',
    ),
  }),
  retired: table({
    api: list(['/api', '/api.php'], 'old API entry points, answered with 410'),
    callback: list(['/callback.php'], 'old OAuth callback pages, answered with 410'),
    server_list: list(['/server.php'], 'old server list pages, answered with 410'),
    login: list(['/login.php'], 'old login pages, redirected to the front end with 301'),
  }),
  challenge: table({
    mode: choice(
      ['off', 'pressure', 'always'],
      'pressure',
      'when a proof of work is required: never; for codes, registrations and operators’ logins under load; always, also for players’ logins',
    ),
    pressure: whole(
      20,
      'codes and registrations per minute from one /24 or IPv6 /64 that need no proof of work; three times as many operators’ logins',
      0,
    ),
    pressure_total: whole(
      300,
      'codes and registrations, and as many operators’ logins, per minute from all addresses that need no proof of work',
      0,
    ),
    max_number: whole(
      50_000,
      'upper bound of the client’s search; 50000 takes about a second on a phone',
      1000,
    ),
  }),
  login_throttle: table({
    account_address: limit(5, 900, 'failures for one account from one address'),
    address: limit(50, 3600, 'failures from one address'),
    account: limit(100, 3600, 'failures for one account from anywhere'),
    player: limit(
      60,
      60,
      'successful logins of one player; the same limit applies to game entries; counted by each process',
    ),
  }),
  code_throttle: table({
    email: limit(1, 60, 'codes for one purpose to one e-mail address'),
    address: limit(10, 3600, 'codes requested by one client address'),
    wrong_per_email: whole(
      20,
      'wrong codes per day for one e-mail address, regardless of the codes sent; the usual addresses of its account have the same limit of their own',
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
  'site.title',
  'site.slogan',
  'site.slogan_en',
  'site.accent',
  'site.links',
  'site.footer',
  'site.footer_en',
  'site.icp',
  'site.police',
  'site.support',
  'site.privacy',
  'site.images',
] as const;

export function isLive(path: readonly string[]): boolean {
  const name = path.join('.');
  return liveSettings.some((live) => name === live || name.startsWith(`${live}.`));
}

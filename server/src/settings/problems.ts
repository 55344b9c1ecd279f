import { parseAddressEntry } from '../security/addresses.ts';
import { parseMysqlServer, parseMysqlUrl } from '../urls/mysql-url.ts';
import { parseRedisUrl } from '../urls/redis-url.ts';
import type { ForumProviderSettings } from './forum-provider.ts';
import type { Settings } from './schema.ts';
import { siteProblems } from './site-fields.ts';

/** A problem with a setting; the message says what would be valid. */
export interface Problem {
  readonly setting: string;
  readonly message: string;
}

const SECRET_BYTES = 32;

const SITE_WORDING = {
  accent: 'must have a contrast of at least 4.5 on the dark background of the pages, because links use it',
  home_link: 'must be an https:, http: or mailto: URL, or a path that begins with one /',
  page_link: 'must be an http(s) URL, or a path on public_url',
};

/** Checks what a schema cannot express: semantics, and settings that must fit each other. */
export function problemsOf(settings: Settings): Problem[] {
  return [
    ...addresses('deny_ip', settings.deny_ip),
    ...addresses('trust_proxy', settings.trust_proxy),
    ...addresses('metrics.ip', settings.metrics.ip),
    ...addresses('game_servers.ip', settings.game_servers.ip),
    ...addresses('console.ip', settings.console.ip),
    ...unless(
      isTimeZone(settings.time_zone),
      'time_zone',
      `"${settings.time_zone}" is not an IANA time zone; use for example Asia/Shanghai`,
    ),
    ...longSecrets('auth.jwt_secret', settings.auth.jwt_secret),
    ...longSecrets('auth.seal_key', settings.auth.seal_key ?? []),
    ...argon2Problems(settings.auth),
    ...unless(
      settings.doctor.acknowledged.every((entry) => /^[^:]*[^\s:]\s*:\s*\S/.test(entry)),
      'doctor.acknowledged',
      'each entry must be a check and a reason, such as "chat.from: our bot reports chat"',
    ),
    ...unless(
      isHttpUrl(settings.public_url),
      'public_url',
      'must be an http:// or https:// URL without a path, such as https://play.example.com',
    ),
    ...unless(
      /^sqlite:[^:]/.test(settings.database.url) || parseMysqlUrl(settings.database.url) !== undefined,
      'database.url',
      'must be sqlite:file or mysql://user:password@host:3306/name, encrypted with ?tls=true&ca=FILE&cert=FILE&key=FILE',
    ),
    ...unless(
      !settings.redis.url || parseRedisUrl(settings.redis.url) !== undefined,
      'redis.url',
      'must be redis://host:6379 or redis+sentinel://host:26379,host:26379/master; encrypted rediss://…?ca=FILE&cert=FILE&key=FILE',
    ),
    ...unless(
      /^(outbox:.+|smtps?:\/\/\S+)/.test(settings.mail.url),
      'mail.url',
      'must be smtp://user:password@host:587 or outbox:folder',
    ),
    ...unless(
      !settings.zones.database_url ||
        /^sqlite:./.test(settings.zones.database_url) ||
        parseMysqlServer(settings.zones.database_url) !== undefined,
      'zones.database_url',
      'must be mysql://user:password@host:port or sqlite:folder',
    ),
    ...unless(
      settings.zones.database_name.includes('{server_id}'),
      'zones.database_name',
      'must contain {server_id}',
    ),
    ...unless(
      settings.withdraw.min <= settings.withdraw.max,
      'withdraw.min',
      'must not be greater than withdraw.max',
    ),
    ...unless(
      settings.withdraw.step <= settings.withdraw.max,
      'withdraw.step',
      'must not be greater than withdraw.max',
    ),
    ...unless(
      URL.canParse(settings.client.url, settings.public_url),
      'client.url',
      'must be a URL, or a path on public_url',
    ),
    ...siteProblems(settings.site, settings.public_url).map(({ field, message }) => ({
      setting: `site.${field}`,
      message: SITE_WORDING[message],
    })),
    ...Object.entries(settings.retired).flatMap(([kind, paths]) =>
      paths.flatMap((path, index) =>
        unless(path.startsWith('/'), `retired.${kind}[${index}]`, 'must be a path that starts with /'),
      ),
    ),
    ...unless(
      settings.auth.password_min <= settings.auth.password_max,
      'auth.password_min',
      'must not be greater than auth.password_max',
    ),
    ...identifiers('zones', { table: settings.zones.table }),
    ...identifiers('zones.columns', settings.zones.columns),
    ...provider('forum', settings.forum),
    ...Object.entries(settings.providers).flatMap(([id, each]) => [
      ...providerId(id),
      ...provider(`providers.${id}`, each),
    ]),
  ];
}

/** An md5 token is compared with the stored md5 hash, so it cannot be accepted or handed out without one. */
function argon2Problems({ password_hash, legacy_tokens, game_token }: Settings['auth']): Problem[] {
  if (password_hash !== 'argon2id') return [];
  const needs = (setting: string) => `"argon2id" needs ${setting}: md5 tokens end with the md5 hashes`;
  return [
    ...unless(!legacy_tokens, 'auth.password_hash', needs('auth.legacy_tokens = false')),
    ...unless(game_token !== 'legacy', 'auth.password_hash', needs('auth.game_token = "jwt" or "ticket"')),
  ];
}

function unless(holds: boolean, setting: string, message: string): Problem[] {
  return holds ? [] : [{ setting, message }];
}

function longSecrets(setting: string, secrets: readonly string[]): Problem[] {
  return secrets.flatMap((secret, index) =>
    unless(
      Buffer.byteLength(secret) >= SECRET_BYTES,
      `${setting}${secrets.length > 1 ? `[${index}]` : ''}`,
      `must be at least ${SECRET_BYTES} bytes; create one with: openssl rand -base64 48`,
    ),
  );
}

function addresses(setting: string, entries: readonly string[]): Problem[] {
  return entries.flatMap((entry, index) =>
    unless(
      parseAddressEntry(entry) !== undefined,
      `${setting}[${index}]`,
      `"${entry}" is not an address, CIDR block (10.0.0.0/8) or range (10.0.0.1-10.0.0.9)`,
    ),
  );
}

/** These names become part of SQL, so only plain identifiers are accepted. */
function identifiers(table: string, names: Record<string, string>): Problem[] {
  return Object.entries(names).flatMap(([key, name]) =>
    unless(
      /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name),
      `${table}.${key}`,
      'must be a plain SQL name: letters, digits and underscores',
    ),
  );
}

function providerId(id: string): Problem[] {
  return unless(
    /^[a-z0-9_-]{1,32}$/.test(id),
    `providers.${id}`,
    'the name must consist of lower-case letters, digits, _ and -',
  );
}

function provider(setting: string, { enabled, ...given }: ForumProviderSettings): Problem[] {
  if (!enabled) return [];
  const wanted = given.issuer
    ? (['client_id', 'issuer'] as const)
    : (['client_id', 'authorize_url', 'token_url', 'userinfo_url'] as const);
  const missing = wanted.flatMap((key) =>
    unless(
      given[key] !== undefined,
      `${setting}.${key}`,
      'is required while the provider is enabled (or set issuer for OpenID Connect)',
    ),
  );
  const malformed = (['issuer', 'authorize_url', 'token_url', 'userinfo_url'] as const).flatMap((key) =>
    unless(
      given[key] === undefined || /^https?:$/.test(URL.parse(given[key])?.protocol ?? ''),
      `${setting}.${key}`,
      'must be an http:// or https:// URL',
    ),
  );
  return [...missing, ...malformed];
}

/** A name or an offset. Temporal would also accept a whole date and time with a zone. */
const TIME_ZONE = /^(?:[a-z][a-z0-9_/+-]*|[+-]\d\d(?::?\d\d)?)$/i;

function isTimeZone(name: string): boolean {
  try {
    // Not Intl.DateTimeFormat: loading a locale's formats takes a tenth of a second.
    return TIME_ZONE.test(name) && Boolean(Temporal.Now.zonedDateTimeISO(name));
  } catch {
    return false;
  }
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '';
}

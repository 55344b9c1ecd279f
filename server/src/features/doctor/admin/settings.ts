import type { ListedSetting } from '@gatehouse/contract/admin';
import { parseAddressEntry } from '../../../security/addresses.ts';
import { leaves, maskSetting, providerLeaves, valueAt } from '../../../settings/leaves.ts';
import type { LiveSettings } from '../../../settings/live.ts';
import type { Settings } from '../../../settings/schema.ts';
import { parseMysqlServer } from '../../../urls/mysql-url.ts';
import { parseRedisUrl } from '../../../urls/redis-url.ts';
import type { TlsFiles } from '../../../urls/tls.ts';
import { type Finding, failed, isLocal, ok, warning } from './finding.ts';

const SHORT = 16;
const TELLING = 8;
const ENOUGH_BITS = 100;

/** Judges secrets by their length and variety; never shows one. */
export function examineSecrets({ auth, game_servers, gm }: Settings): Finding[] {
  return [passwordKey(auth.password_key), ...jwtSecrets(auth), ...others({ game_servers, gm })];
}

function passwordKey(key: string): Finding {
  if (key.length >= SHORT) return ok('auth.password_key', 'long enough');
  return warning(
    'auth.password_key',
    `has fewer than ${SHORT} characters`,
    'old hashes depend on it: keep it if accounts were created with it, and keep the database private; choose a longer one for a new installation',
  );
}

function jwtSecrets({ jwt_secret, password_key }: Settings['auth']): Finding[] {
  const judged = jwt_secret.map((secret) => judgeJwtSecret(secret, password_key));
  const bad = judged.filter(({ status }) => status !== 'ok');
  return bad.length > 0 ? bad : judged.slice(0, 1);
}

function judgeJwtSecret(jwt_secret: string, password_key: string): Finding {
  const fix =
    'create one with: openssl rand -base64 48, and put it in front of this one in a list for a day; otherwise everyone has to log in again';
  // A longer text may contain a very short key by chance.
  const contained = password_key.length >= TELLING && jwt_secret.includes(password_key);
  if (contained || password_key.includes(jwt_secret))
    return failed('auth.jwt_secret', 'is the password key, or contains it', fix);
  if (bitsOf(jwt_secret) < ENOUGH_BITS)
    return failed('auth.jwt_secret', 'is easy to guess: anyone who guesses it can log in as any player', fix);
  return ok('auth.jwt_secret', 'strong');
}

function others({ game_servers, gm }: Pick<Settings, 'game_servers' | 'gm'>): Finding[] {
  const keys = { 'game_servers.key': game_servers.key, 'gm.key': gm.key };
  return Object.entries(keys).flatMap(([check, key]) => {
    if (key === undefined) return [];
    if (key.length >= SHORT) return [ok(check, 'long enough')];
    return [
      warning(
        check,
        `has fewer than ${SHORT} characters`,
        'create one with: openssl rand -hex 24, and set it on the game servers too',
      ),
    ];
  });
}

/** Returns the Shannon entropy of the characters: high for sentences, low for repetition. */
function bitsOf(secret: string): number {
  const counts = new Map<string, number>();
  for (const char of secret) counts.set(char, (counts.get(char) ?? 0) + 1);
  const shares = [...counts.values()].map((count) => count / secret.length);
  return -secret.length * shares.reduce((sum, share) => sum + share * Math.log2(share), 0);
}

/** Examines the settings that control access: proxies and the deny list, transport, registration. */
export function examineAccess(settings: Settings): Finding[] {
  return [
    ...proxies(settings),
    ...transport(settings),
    registration(settings.day_max_reg),
    chatReporters(settings),
    gameClient(settings),
    zoneHosts(settings.zones.allowed_hosts),
  ];
}

function zoneHosts(allowed: readonly string[]): Finding {
  const check = 'zones.allowed_hosts';
  if (allowed.length > 0) return ok(check, allowed.join(', '));
  return ok(
    check,
    'is empty: gm_url and database_url may point to any host except link-local and metadata addresses',
  );
}

function proxies({ trust_proxy, deny_ip, public_url }: Settings): Finding[] {
  const findings: Finding[] = [];
  if (trust_proxy.length === 0 && public_url.startsWith('https:'))
    findings.push(
      warning(
        'trust_proxy',
        'is empty although public_url is https: behind a proxy all players share its address, and therefore its throttles and deny_ip',
        'add the proxy that terminates TLS, for example trust_proxy = ["127.0.0.1"]',
      ),
    );
  for (const proxy of trust_proxy) {
    if (isEverything(proxy))
      findings.push(
        warning(
          'trust_proxy',
          `${proxy} trusts everyone: any client can claim any address`,
          'list only the addresses of your own proxies',
        ),
      );
    if (deny_ip.some((denied) => overlap(proxy, denied)))
      findings.push(
        warning(
          'deny_ip',
          `includes the trusted proxy ${proxy}: its own requests, such as health checks, are refused`,
          'remove the proxy from deny_ip',
        ),
      );
  }
  return findings.length > 0 ? findings : [ok('trust_proxy', trust_proxy.join(', ') || 'no proxy in front')];
}

function transport({ public_url }: Settings): Finding[] {
  const url = URL.parse(public_url);
  if (url?.protocol !== 'http:' || isLocal(url.hostname)) return [ok('public_url', public_url)];
  return [
    warning(
      'public_url',
      `${public_url} is not encrypted: passwords can be intercepted`,
      'put a proxy with TLS in front and use https:// here',
    ),
  ];
}

/** Always reported, so that a closed registration is noticed. Closing it is not a failure. */
function registration(dayMax: number): Finding {
  return ok(
    'day_max_reg',
    dayMax === 0 ? '0: registration is closed' : `up to ${dayMax} registrations per day`,
  );
}

function chatReporters({ chat, public_url }: Settings): Finding {
  if (chat.from === 'game_servers') return ok('chat.from', 'only game servers may report chat');
  if (isLocal(URL.parse(public_url)?.hostname ?? '')) return ok('chat.from', 'anyone may report chat');
  return warning(
    'chat.from',
    'anyone may report chat: anyone who knows the address can invent messages of any player and fill the disk',
    'set from = "game_servers" under [chat], and add the addresses of the game servers to game_servers.ip or the server table',
  );
}

function gameClient({ client, public_url }: Settings): Finding {
  const isPlayground = client.url.startsWith('/playground/');
  if (!isPlayground || isLocal(URL.parse(public_url)?.hostname ?? '')) return ok('client.url', client.url);
  return warning(
    'client.url',
    `${client.url} is the playground’s: players who enter a zone get a page that does not exist`,
    'set client.url to the address of your game client',
  );
}

function overlap(one: string, other: string): boolean {
  const [a, b] = [parseAddressEntry(one), parseAddressEntry(other)];
  return a !== undefined && b !== undefined && a[0] <= b[1] && b[0] <= a[1];
}

function isEverything(entry: string): boolean {
  return /\/0$/.test(entry.trim());
}

interface Link {
  readonly setting: string;
  readonly hosts: readonly string[];
  readonly tls: TlsFiles | undefined;
  readonly fix: string;
}

/** Finds links to other machines that an eavesdropper could read. */
export function examineLinks(settings: Settings): Finding[] {
  return [
    ...mysql('database.url', settings.database.url),
    ...mysql('zones.database_url', settings.zones.database_url ?? ''),
    ...redis(settings.redis.url ?? ''),
  ].flatMap(judge);
}

function judge({ setting, hosts, tls, fix }: Link): Finding[] {
  const remote = hosts.filter((host) => !isLocal(host.includes(':') ? `[${host}]` : host));
  if (remote.length === 0 || (tls && !tls.unverified)) return [];
  const fault = tls ? 'is encrypted, but the certificate is not verified' : 'is not encrypted';
  return [warning(setting, `the link to ${remote.join(', ')} ${fault}`, fix)];
}

function mysql(setting: string, url: string): Link[] {
  const target = parseMysqlServer(url);
  const fix = `add ?tls=true&ca=FILE to ${setting}, or keep both machines in a private network and acknowledge the warning`;
  return target ? [{ setting, hosts: target.hosts.map(({ host }) => host), tls: target.tls, fix }] : [];
}

function redis(url: string): Link[] {
  const address = parseRedisUrl(url);
  if (!address) return [];
  const hosts = address.sentinels?.map(({ host }) => host) ?? [address.host ?? ''];
  const fix =
    'use rediss:// and ?ca=FILE in redis.url, or keep both machines in a private network and acknowledge the warning';
  return [{ setting: 'redis.url', hosts, tls: address.tls, fix }];
}

/** Lists every setting in force and its source. Secrets are masked. */
export function listSettings(settings: Pick<LiveSettings, 'current' | 'sourceOf'>): ListedSetting[] {
  const providers = Object.keys(settings.current.providers).flatMap((id) =>
    providerLeaves.map(({ path }) => ['providers', id, ...path]),
  );
  const paths = leaves.map(({ path }) => path).filter(([first]) => first !== 'providers');
  return [...paths, ...providers].map((path) => ({
    name: path.join('.'),
    value: maskSetting(path, valueAt(settings.current, path)),
    source: settings.sourceOf(path),
  }));
}

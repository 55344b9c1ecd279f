import { parseAddressEntry } from '../../../security/addresses.ts';
import type { Settings } from '../../../settings/schema.ts';
import { type Finding, ok, warning } from './finding.ts';

/** Examines the settings that control access: proxies and the deny list, transport, registration. */
export function examineAccess(settings: Settings): Finding[] {
  return [
    ...proxies(settings),
    ...transport(settings),
    registration(settings.day_max_reg),
    chatReporters(settings),
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
  const found: Finding[] = [];
  if (trust_proxy.length === 0 && public_url.startsWith('https:'))
    found.push(
      warning(
        'trust_proxy',
        'is empty although public_url is https: behind a proxy all players share its address, and therefore its throttles and deny_ip',
        'add the proxy that terminates TLS, for example trust_proxy = ["127.0.0.1"]',
      ),
    );
  for (const proxy of trust_proxy) {
    if (isEverything(proxy))
      found.push(
        warning(
          'trust_proxy',
          `${proxy} trusts everyone: any client can claim any address`,
          'list only the addresses of your own proxies',
        ),
      );
    if (deny_ip.some((denied) => overlap(proxy, denied)))
      found.push(
        warning(
          'deny_ip',
          `includes the trusted proxy ${proxy}: its own requests, such as health checks, are refused`,
          'remove the proxy from deny_ip',
        ),
      );
  }
  return found.length > 0 ? found : [ok('trust_proxy', trust_proxy.join(', ') || 'no proxy in front')];
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

/** Always reported, so that a closed registration is noticed. Closing it is no fault. */
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

export function isLocal(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

function overlap(one: string, other: string): boolean {
  const [a, b] = [parseAddressEntry(one), parseAddressEntry(other)];
  return a !== undefined && b !== undefined && a[0] <= b[1] && b[0] <= a[1];
}

function isEverything(entry: string): boolean {
  return /\/0$/.test(entry.trim());
}

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
    'is empty: gm_url and database_url may lead to any host but link-local and metadata addresses',
  );
}

function proxies({ trust_proxy, deny_ip, public_url }: Settings): Finding[] {
  const found: Finding[] = [];
  if (trust_proxy.length === 0 && public_url.startsWith('https:'))
    found.push(
      warning(
        'trust_proxy',
        'is empty, yet public_url is https: behind a proxy all players share its address, and with it throttles and deny_ip',
        'name the proxy that ends TLS, for example trust_proxy = ["127.0.0.1"]',
      ),
    );
  for (const proxy of trust_proxy) {
    if (isEverything(proxy))
      found.push(
        warning(
          'trust_proxy',
          `${proxy} trusts everybody: any client can pretend to be at any address`,
          'name the addresses of your own proxies only',
        ),
      );
    if (deny_ip.some((denied) => overlap(proxy, denied)))
      found.push(
        warning(
          'deny_ip',
          `covers the trusted proxy ${proxy}: what it asks for itself, such as health checks, is refused`,
          'take the proxy out of deny_ip',
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
      `${public_url} is not encrypted: passwords can be read on the way`,
      'put a proxy with TLS in front and write https:// here',
    ),
  ];
}

/** Always reported, so that a closed registration is noticed. Closing it is no fault. */
function registration(dayMax: number): Finding {
  return ok(
    'day_max_reg',
    dayMax === 0 ? '0: registration is closed' : `up to ${dayMax} registrations a day`,
  );
}

function chatReporters({ chat, public_url }: Settings): Finding {
  if (chat.from === 'game_servers') return ok('chat.from', 'game servers alone report chat');
  if (isLocal(URL.parse(public_url)?.hostname ?? '')) return ok('chat.from', 'anyone may report chat');
  return warning(
    'chat.from',
    'anyone may report chat: whoever finds the address can put words into every mouth and fill the disk',
    'write from = "game_servers" under [chat], and the game servers’ addresses into game_servers.ip or the server table',
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

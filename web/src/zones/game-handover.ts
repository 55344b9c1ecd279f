import type { AnswerOf, routes } from '@gatehouse/contract/player';

export type Entry = AnswerOf<typeof routes.enterGame>;

/** Messages between this page and the game client in its frame: see README.md. */
export const messages = {
  ready: 'gatehouse:ready',
  enter: 'gatehouse:enter',
  leave: 'gatehouse:leave',
} as const;

/**
 * Hands over by redirect. Everything is in the fragment, which browsers never send to a server, so the token reaches no access
 * log.
 */
export function redirectUrl({ account, token, server, launch_url }: Entry, base: string): string {
  const url = launchUrl(launch_url, base);
  url.hash = new URLSearchParams({
    account,
    token,
    server_id: String(server.server_id),
    name: server.name,
    address: server.address,
    port: String(server.port),
  }).toString();
  return url.href;
}

/** Parses the client's URL. Anything but http(s) would run script in this page. */
export function launchUrl(url: string, base: string): URL {
  const parsed = new URL(url, base);
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')
    throw new Error('launch_url is not http(s)');
  return parsed;
}

interface Handover {
  readonly entry: Entry;
  readonly origin: string;
  readonly client: () => Window | null | undefined;
  readonly onReady: () => void;
  readonly onLeave: () => void;
}

/**
 * Hands over by frame. Communicates only with the client's own window and origin. Returns functions to announce a load and to
 * stop.
 */
export function handOver({ entry, origin, client, onReady, onLeave }: Handover) {
  const { account, token, server } = entry;

  const enter = () =>
    client()?.postMessage({ type: messages.enter, version: 1, account, token, server }, origin);

  const listen = (event: MessageEvent) => {
    if (event.origin !== origin || event.source !== client()) return;
    const type: unknown = event.data?.type;
    if (type === messages.ready) {
      enter();
      onReady();
    }
    if (type === messages.leave) onLeave();
  };

  addEventListener('message', listen);
  return { enter, stop: () => removeEventListener('message', listen) };
}

import { afterEach, expect, test, vi } from 'vitest';
import { type Entry, handOver, launchUrl, redirectUrl } from './game-handover.ts';

const ORIGIN = 'https://client.example';
const entry: Entry = {
  account: 'li_bai',
  token: 'secret-token',
  server: { server_id: 3, name: '玄武门', address: 's3.example', port: 7003 },
  launch_url: `${ORIGIN}/play?lang=zh`,
};

function frame() {
  const client = { postMessage: vi.fn() };
  const onReady = vi.fn();
  const onLeave = vi.fn();
  const talk = handOver({
    entry,
    origin: ORIGIN,
    client: () => client as unknown as Window,
    onReady,
    onLeave,
  });
  const says = (type: string, origin = ORIGIN, source: unknown = client) =>
    window.dispatchEvent(Object.assign(new MessageEvent('message', { data: { type }, origin }), { source }));
  stops.push(talk.stop);
  return { client, onReady, onLeave, talk, says };
}

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

test('when the client reports ready, then only it receives account, token and server', () => {
  const { client, onReady, says } = frame();
  says('gatehouse:ready');
  expect(onReady).toHaveBeenCalledOnce();
  expect(client.postMessage).toHaveBeenCalledExactlyOnceWith(
    { type: 'gatehouse:enter', version: 1, account: 'li_bai', token: 'secret-token', server: entry.server },
    ORIGIN,
  );
});

test('when another origin or window reports ready, then it receives nothing', () => {
  const { client, onReady, says } = frame();
  says('gatehouse:ready', 'https://evil.example');
  says('gatehouse:ready', ORIGIN, {});
  expect(onReady).not.toHaveBeenCalled();
  expect(client.postMessage).not.toHaveBeenCalled();
});

test('when the client asks to leave, then the page is notified; after stop(), nothing listens', () => {
  const { onLeave, talk, says } = frame();
  says('gatehouse:leave');
  expect(onLeave).toHaveBeenCalledOnce();
  talk.stop();
  says('gatehouse:leave');
  expect(onLeave).toHaveBeenCalledOnce();
});

test('when the hand-over is a redirect, then everything secret is in the fragment', () => {
  const url = new URL(redirectUrl(entry, 'https://game.example/'));
  expect(url.origin + url.pathname + url.search).toBe(entry.launch_url);
  expect(Object.fromEntries(new URLSearchParams(url.hash.slice(1)))).toEqual({
    account: 'li_bai',
    token: 'secret-token',
    server_id: '3',
    name: '玄武门',
    address: 's3.example',
    port: '7003',
  });
});

test('when launch_url is a path, then it is one of this site; when it is a script, then it is refused', () => {
  expect(launchUrl('/client/', 'https://game.example/x').href).toBe('https://game.example/client/');
  expect(() => launchUrl('javascript:alert(1)', 'https://game.example/')).toThrow();
});

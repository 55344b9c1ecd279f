import { expect, test } from 'vitest';
import { startNginx } from './nginx.ts';
import { freePort } from './process.ts';
import { answers } from './server.ts';

function site(port: number, text: string): string {
  return `server { listen 127.0.0.1:${port}; location / { return 200 "${text}"; } }`;
}

test('when nginx reloads or restarts, then it serves on its port; when it stops, then it is gone', async () => {
  const port = await freePort();
  const read = async () => (await fetch(`http://127.0.0.1:${port}/seen`)).text();
  const nginx = await startNginx({ conf: site(port, 'first') });
  expect(await read()).toBe('first');

  await nginx.reload(site(port, 'second'));
  await expect.poll(read).toBe('second');

  await nginx.restart();
  expect(await read()).toBe('second');
  expect(nginx.logs()).toContain('GET /seen');

  await nginx.stop();
  expect(await answers(port)).toBe(false);
});

test('when the configuration is wrong, then it says so at the start and at a reload', async () => {
  const port = await freePort();
  const nginx = await startNginx({ conf: site(port, 'good') });
  await expect(startNginx({ conf: 'serve {}' })).rejects.toThrow('unknown directive "serve"');
  await expect(nginx.reload('serve {}')).rejects.toThrow('unknown directive "serve"');
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('good');
  await nginx.stop();
});

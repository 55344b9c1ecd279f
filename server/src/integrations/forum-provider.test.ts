import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { enabledProviders } from '../settings/forum-provider.ts';
import { parseSettings } from '../settings/load.ts';
import { openForumProvider } from './forum-provider.ts';

test('when a forum answers slowly, then 16 logins call it concurrently, 32 wait, and more are refused', async () => {
  const asked: ServerResponse[] = [];
  let isOpen = false;
  const refuseCode = (response: ServerResponse) =>
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
  const forum = createServer((_, response) => {
    asked.push(response);
    if (isOpen) refuseCode(response);
  });
  await new Promise<void>((resolve) => forum.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void forum.close());
  const url = `http://127.0.0.1:${(forum.address() as AddressInfo).port}`;
  const [settings] = enabledProviders(
    parseSettings({
      auth: { password_key: 'old-generation-key', jwt_secret: 'x'.repeat(32) },
      forum: {
        enabled: true,
        client_id: 'c',
        client_secret: 's',
        authorize_url: `${url}/authorize`,
        token_url: `${url}/token`,
        userinfo_url: `${url}/me`,
      },
    }),
  );
  if (!settings) throw new Error('there is no provider');
  const callbackUrl = 'http://localhost/api/forumauth/callback';
  const { identify } = openForumProvider({ settings, callbackUrl, log: { warn: () => {} } });
  const secrets = { state: 's'.repeat(43), verifier: 'v'.repeat(43), nonce: 'n' };
  const logins = Array.from({ length: 48 }, () => identify({ code: 'x' }, secrets));
  await vi.waitFor(() => expect(asked).toHaveLength(16), 5000);
  await expect(identify({ code: 'x' }, secrets)).rejects.toMatchObject({ code: 'forum_unavailable' });
  expect(asked).toHaveLength(16);
  isOpen = true;
  for (const response of [...asked]) refuseCode(response);
  expect(new Set(await Promise.all(logins))).toEqual(new Set(['code_refused']));
  expect(asked).toHaveLength(48);
});

import { expect, test } from 'vitest';
import { audienceOf } from './audience.ts';
import { browserSuite } from './browser-suite.ts';

const suite = browserSuite({ handoff: 'redirect' });

test('when the hand-over is a redirect, then the client gets everything in the fragment and no server sees it', async () => {
  await suite.server.register('rider');
  const { page, openAndLogIn } = await suite.openSession();
  await openAndLogIn('rider');
  await page.locator('.enter').click();
  const received = JSON.parse((await page.locator('#received:not(:empty)').textContent()) ?? '{}');
  expect(received).toEqual({
    account: 'rider',
    token: expect.any(String),
    server_id: '1',
    name: '玄武门',
    address: 's1.game.test',
    port: '7001',
  });
  expect(audienceOf(received.token)).toBe('game');
  expect(suite.server.client.requests.join('\n')).not.toContain(received.token);

  await page.goBack();
  await page.getByRole('heading', { name: '选择区服' }).waitFor();
});

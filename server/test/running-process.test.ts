import { describe, expect, onTestFinished, test } from 'vitest';
import { startGatehouse } from '../../test-support/gatehouse.ts';
import { startSmtp } from '../../test-support/smtp.ts';
import { openDatabase } from '../src/db/open.ts';
import { clientFrom } from './support/client.ts';

describe('the running process', () => {
  test('when the settings file changes, then live settings change, and a bad file changes nothing and is reported', async () => {
    const service = await startGatehouse({ settings: { trust_proxy: ['127.0.0.1'] } });
    const getConfig = () => clientFrom(service.url, '203.0.113.9').get('/api/config');
    expect((await getConfig()).status).toBe(200);
    service.writeSettings({ trust_proxy: ['127.0.0.1'], deny_ip: ['203.0.113.0/24'], day_max_reg: 0 });
    await expect.poll(async () => (await getConfig()).status).toBe(403);
    await expect
      .poll(() => service.logs().find(({ msg }) => msg === 'settings reloaded'))
      .toMatchObject({ before: { day_max_reg: 1000 }, after: { day_max_reg: 0 } });
    const db = await openDatabase(`sqlite:${service.folder}/gatehouse.db`);
    onTestFinished(() => db.close());
    await expect
      .poll(() => db.kysely.selectFrom('audit').select(['actor', 'action', 'after']).execute())
      .toMatchObject([{ actor: 'settings file', action: 'settings.changed' }]);
    const open = async () =>
      (await clientFrom(service.url, '9.9.9.9').get('/api/config')).body.registration.open;
    expect(await open()).toBe(false);

    service.writeSettings({ trust_proxy: ['127.0.0.1'], deny_ip: ['203.0.113.0/99'] });
    await expect
      .poll(() =>
        service.logs().find((line) => line.msg === 'new settings refused; the old ones remain in effect'),
      )
      .toMatchObject({
        problems: [expect.stringContaining('deny_ip[0]')],
      });
    expect((await getConfig()).status).toBe(403);
    await service.stop();
  });

  test('when it gets a stop signal, then requests in progress finish and it exits with 0', async () => {
    const smtp = await startSmtp({ mode: 'hang' });
    const service = await startGatehouse({ settings: { mail: { url: smtp.url } } });
    const underWay = clientFrom(service.url, '127.0.0.1').post('/api/send_code', {
      email: 'slow@example.com',
    });
    await expect.poll(smtp.callers).toBe(1);
    await service.stop('SIGTERM');
    expect((await underWay).body.code).toBe('mail_unavailable');
    expect(service.logs().at(-1)).toMatchObject({ msg: 'stopped' });
    await smtp.stop();
  });
});

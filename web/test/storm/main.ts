import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { openBrowser, sizes } from '../browser.ts';
import { PASSWORD, startTestServer, type TestServer } from '../test-server.ts';
import { startStorm } from './storm.ts';

const { values } = parseArgs({
  options: { rate: { type: 'string', default: '2000' }, blocks: { type: 'string', default: '200' } },
});
const LONGEST_MS = 3000;
const SETTLE_MS = 5000;

/** Signs up as a player does. Returns how long service and page keep the player waiting, in milliseconds. */
async function signUp(server: TestServer, account: string): Promise<{ code: number; registration: number }> {
  const browser = await openBrowser();
  try {
    const context = await browser.newContext({
      viewport: sizes.phone,
      locale: 'zh-CN',
      extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.9' },
    });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const email = `${account}@example.com`;
    await page.goto(`${server.url}/login?mode=register`);
    await page.fill('[name=account]', account);
    await page.fill('[name=password]', PASSWORD);
    await page.fill('[name=email]', email);
    await page.check('[name=agree]');
    const begun = performance.now();
    await page.getByRole('button', { name: '获取验证码' }).click();
    await page.getByRole('button', { name: /秒后可重发/ }).waitFor();
    const code = performance.now() - begun;
    await page.fill('[name=code]', await server.code(email));
    const submitted = performance.now();
    await page.locator('form button[type=submit]').click();
    await page.waitForFunction(() => sessionStorage.getItem('CQ-TOKEN') !== null);
    return { code, registration: performance.now() - submitted };
  } finally {
    await browser.close();
  }
}

const server = await startTestServer({
  settings: { trust_proxy: ['127.0.0.1'], challenge: { mode: 'pressure' }, log: { level: 'error' } },
});
const shown = ({ code, registration }: Awaited<ReturnType<typeof signUp>>) =>
  `${Math.round(code)} ms until the code was sent, ${Math.round(registration)} ms to register`;
console.log(`calm: ${shown(await signUp(server, 'calm_player'))}`);
const storm = startStorm({
  port: Number(new URL(server.url).port),
  perSecond: Number(values.rate),
  blocks: Number(values.blocks),
});
await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
const inStorm = await signUp(server, 'brave_player');
const { sent, seconds, statuses } = storm.stop();
await server.stop();
console.log(`storm: ${shown(inStorm)}`);
console.log(
  `${Math.round(sent / seconds)} registrations a second from ${values.blocks} blocks for ${seconds.toFixed(0)} s: ${JSON.stringify(statuses)}; load of the machine ${loadavg()[0]?.toFixed(1)}`,
);
process.exit(Math.max(inStorm.code, inStorm.registration) <= LONGEST_MS ? 0 : 1);

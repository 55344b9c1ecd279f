import { afterAll, beforeAll, expect, test } from 'vitest';
import { dependencies, type SlowParts, startSlowParts } from './parts.ts';
import { isNeeded, routes, type SlowRun, startSlowRun } from './run.ts';

const SECONDS = 4;
const DELAY_MS = 4000;

let parts: SlowParts;
let run: SlowRun;
beforeAll(async () => {
  parts = await startSlowParts();
  run = startSlowRun(parts);
  await run.play('none', 0, 1);
}, 120_000);
afterAll(() => parts?.close());

// The short form of `npm run test:delays`; the deadline of a request alone: server/src/http/mount.test.ts
test.for(dependencies)(
  'when %s answers four seconds late, then every request is answered, and those that do not need it succeed',
  { timeout: 120_000 },
  async (dependency, { skip }) => {
    const missing = parts.without(dependency);
    skip(missing !== undefined, missing);
    const { figures, doubledMails } = await run.play(dependency, DELAY_MS, SECONDS);
    for (const route of routes) {
      expect.soft(figures[route], route).toMatchObject({ bad: 0 });
      if (!isNeeded(dependency, route)) expect.soft(figures[route], route).toMatchObject({ refusals: '' });
    }
    expect(doubledMails).toBe(0);
  },
);

test('when all delays are over, then requests succeed again and no currency is lost or taken twice', {
  timeout: 180_000,
}, async () => {
  await expect
    .poll(
      async () => {
        const { figures } = await run.play('none', 0, 1);
        return routes.filter((route) => figures[route].good === 0 || figures[route].refused > 0);
      },
      { timeout: 60_000 },
    )
    .toEqual([]);
  const violations = await run.judge();
  expect(Object.entries(violations).filter(([, count]) => count !== 0)).toEqual([]);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { tempDir } from '../../../test-support/process.ts';
import { runControls } from './controls.ts';
import { runEntry } from './entry.ts';
import { possibleFaults } from './faults.ts';
import { type Parts, startParts } from './parts.ts';
import { runCluster } from './run.ts';
import { unexpectedOutcomes } from './unexpected-outcomes.ts';

// The full run is `npm run test:cluster`; it injects more faults, and measures how long players wait.
const longOnes = [
  'Redis master frozen',
  'Redis slow',
  'database node slow',
  'database row locked',
  'game database slow',
  'game server down',
  'game server slow',
  'mail server slow',
  'service and Redis master killed',
];
const plan = possibleFaults({ hasNetwork: false }).possible.filter(({ name }) => !longOnes.includes(name));
const rates = { login: 5, check: 5, list: 5, enter: 8, chat: 15, register: 1, withdraw: 4 };

let parts: Parts;

beforeAll(async () => {
  parts = await startParts();
});
afterAll(() => parts?.close());

test('when each instance has its own node and clock, then only one address can use a ticket, and no zone opens early', async () => {
  const { violations, clocks } = await runEntry({ parts, tickets: 3 });
  const [behind = 0, , ahead = 0] = clocks;
  expect(ahead - behind).toBeGreaterThan(20_000);
  expect(Object.entries(violations).filter(([, count]) => count !== 0)).toEqual([]);
}, 300_000);

test('when each part breaks in sequence, then nothing acknowledged is lost or duplicated and no answer is untrue', async () => {
  const result = await runCluster({ parts, plan, rates, seed: 1, folder: tempDir('cluster') });
  // Game databases have a timeout of 3 s, which a machine that runs other tests may exceed. That is not a failure of a restart;
  // the full run, alone on its machine, counts it.
  const failed = unexpectedOutcomes(result).filter(
    ([text]) => !/502 game_server_unavailable/.test(text ?? ''),
  );
  const { 'failed requests during routine work': _, ...violations } = result.violations;
  expect(failed).toEqual([]);
  expect(Object.entries(violations).filter(([, count]) => count !== 0)).toEqual([]);
  expect(result.windows.map(({ fault }) => fault)).toEqual(plan.map(({ name }) => name));
  for (const kind of Object.keys(rates))
    expect(result.requests.some((each) => each.kind === kind && each.outcome === 'ok')).toBe(true);
}, 600_000);

test('when a service answers before it has written, or repeats writes that may have succeeded, then the run reports it', async () => {
  const { lost, doubled } = await runControls({ parts, seed: 1, folder: tempDir('cluster') });
  expect(lost).toBeGreaterThan(0);
  expect(doubled).toBeGreaterThan(0);
}, 300_000);

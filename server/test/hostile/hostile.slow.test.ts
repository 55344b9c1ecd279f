import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { seededRandom } from '@gatehouse/simulators/random';
import { expect, onTestFinished, test } from 'vitest';
import { describeOnEngines } from '../../../test-support/engines.ts';
import { runHostile } from './run.ts';
import { startHostileService } from './service.ts';

/** `npm run test:hostile` sends many more. */
const load = { requests: 2000, connections: 24, attackers: 12, random: seededRandom(20_261_116) };

describeOnEngines('many callers at once, some of them slow, broken or hostile', (engine) => {
  test('when requests of all kinds are pipelined, then every answer belongs to its request', async () => {
    const service = await startHostileService({ url: await engine.freshUrl() });
    onTestFinished(service.stop);
    const { answered, attacks, faults } = await runHostile({ ...load, ...service });
    expect(faults).toEqual([]);
    expect(answered).toBe(load.requests);
    expect(attacks).toBeGreaterThanOrEqual(load.attackers);
    expect(service.logs()).toEqual([]);
  });
});

test('when a server sends the answer to another request, then the run detects it', async () => {
  const answers = createServer((request, response) => {
    request.resume();
    response.end(JSON.stringify({ account: 'mixed_player_2', format: 'legacy' }));
  });
  await new Promise<void>((resolve) => answers.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void answers.close());
  const players = [1, 2].map((index) => ({
    account: `mixed_player_${index}`,
    password: '',
    hash: '',
    connectId: `forum-${index}`,
    token: `token ${index}`,
  }));
  const { port } = answers.address() as AddressInfo;
  // A single caller: with many, chance decides whose faults are listed before the cap.
  const alone = { requests: 200, connections: 1, attackers: 0, random: seededRandom(1) };
  const { faults } = await runHostile({ ...alone, port, players, zones: [1] });
  expect(faults.some((fault) => fault.includes('"account":"mixed_player_1"'))).toBe(true);
});

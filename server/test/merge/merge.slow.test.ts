import { expect, test } from 'vitest';
import { describeOnEngines } from '../../../test-support/engines.ts';
import { runMerge } from './run.ts';

// The full run is `npm run test:merge`; there GM interfaces fail too.
describeOnEngines('a merge under load', (engine) => {
  test('when a zone is merged while players log in, enter and withdraw, then every answer is true, the money adds up and all are on the other zone', async () => {
    const { violations, untrue, facts } = await runMerge({
      databaseUrl: await engine.freshUrl(),
      processes: 2,
      playersPerZone: 3,
      visits: 2,
      faulty: 0,
    });
    expect(untrue).toEqual([]);
    expect(Object.entries(violations).filter(([, count]) => count !== 0)).toEqual([]);
    for (const what of ['of the zone itself', 'of the one it was merged into', 'withdrawals'])
      expect(facts[what]).toBeGreaterThan(0);
  }, 300_000);
});

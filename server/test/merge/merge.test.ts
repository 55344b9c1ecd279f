import { expect, test } from 'vitest';
import { describeOnEngines } from '../../../test-support/engines.ts';
import { untrueAnswers } from './answers.ts';
import { runMerge } from './run.ts';

// The full one is `npm run test:merge`; there GM interfaces fail, too.
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

test('when an answer is not true of any moment between the request and it, then the run reports it', () => {
  const moments = { maintenance: undefined, merge: 10, known: 20 };
  const at = (
    meaning: Parameters<typeof untrueAnswers>[0][number]['meaning'],
    began: number,
    ended: number,
  ) => ({
    meaning,
    note: '',
    began,
    ended,
  });
  const untrue = [
    at('merged', 1, 9),
    at('itself', 21, 30),
    at('in maintenance', 11, 12),
    at('just merged', 1, 9),
    at('just merged', 21, 22),
    at('untrue', 11, 12),
  ];
  const allowed = [at('itself', 1, 9), at('itself', 15, 30), at('merged', 5, 11), at('just merged', 5, 15)];
  expect(untrueAnswers([...untrue, ...allowed], moments)).toEqual(untrue);
});

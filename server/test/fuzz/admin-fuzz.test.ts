import { operatorRoles } from '@gatehouse/contract/admin';
import { expect, test } from 'vitest';
import { describeByTier } from '../../../test-support/engines.ts';
import { fuzzAsEachRole } from './run.ts';

/** Per role; `npm run test:fuzz` sends many more. */
const requests = Number(process.env.FUZZ_REQUESTS ?? (process.env.TEST_TIER === 'first' ? 40 : 120));

describeByTier('the operators’ API', (engine) => {
  test(
    'when requests of every shape are sent as each role, then none fails and each answer matches the document',
    async () => {
      const results = await fuzzAsEachRole({
        databaseUrl: await engine.freshUrl(),
        requests,
        seed: 20_261_115,
      });
      expect(Object.keys(results)).toEqual([...operatorRoles]);
      const faults = Object.values(results).flatMap((each) => each.faults);
      expect(faults, faults.join('\n')).toEqual([]);
      // Some must have succeeded, or nothing was tested.
      for (const { statuses } of Object.values(results)) expect(statuses[200]).toBeGreaterThan(0);
      if (requests > 1000)
        console.log(engine.name, JSON.stringify(Object.values(results).map((each) => each.statuses)));
    },
    60_000 + requests * 50,
  );
});

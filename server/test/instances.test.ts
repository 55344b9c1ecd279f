import { expect, test } from 'vitest';
import { zoneAtNoon } from '../../test-support/time-zone.ts';
import { openDatabase } from '../src/db/open.ts';
import { CODE, count, insertCodes, instanceSuite } from './support/instances.ts';
import { PASSWORD } from './support/test-app.ts';

const { running, startThree } = instanceSuite();

// `instances.slow.test.ts` has larger races and the throttle over Redis, `cluster/` every fault.
test('when three instances get a burst of registrations and one is killed, then the cap is kept and nothing acknowledged is lost', async () => {
  const { url, ask } = await startThree({ day_max_reg: 20, time_zone: zoneAtNoon() });
  const players = Array.from({ length: 30 }, (_, index) => ({
    account: `racer_${index}`,
    email: `racer${index}@example.com`,
  }));
  const db = await openDatabase(url);
  await insertCodes(
    db,
    players.map(({ email }) => email),
  );
  await db.close();
  const answers = await Promise.all(
    players.map((player, index) =>
      ask(index).post('/api/register', { ...player, password: PASSWORD, code: CODE }),
    ),
  );
  await running()[0]?.kill();
  expect({ registered: count(answers, 201), capped: count(answers, 429) }).toEqual({
    registered: 20,
    capped: 10,
  });
  const registered = players.filter((_, index) => answers[index]?.status === 201);
  const logins = await Promise.all(
    registered.map(({ account }, index) =>
      ask(1 + (index % 2)).post('/api/login', { account, password: PASSWORD }),
    ),
  );
  expect(count(logins, 200)).toBe(20);
});

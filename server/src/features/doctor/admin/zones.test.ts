import { expect, test } from 'vitest';
import type { Db } from '../../../db/open.ts';
import { gameDatabases } from '../../../integrations/game-database.ts';
import { gmCommands } from '../../../integrations/gm-command.ts';
import { parseSettings } from '../../../settings/load.ts';
import type { Zone } from '../../zones/store.ts';
import { examineZones } from './zones.ts';

const zone = {
  name: 'Zone',
  port: 7000,
  status: 'open',
  mergedInto: null,
  gmUrl: null,
  gmFailingSince: null,
} as Zone;

/** Examines 60 zones whose game ports answer. If `isEnded`, the signal aborts at the first. */
async function examineSixty({
  isEnded,
  fault,
  ...more
}: { isEnded: boolean; fault?: string } & Partial<Zone>) {
  const ended = new AbortController();
  let calls = 0;
  const found = await examineZones(
    {} as Db,
    parseSettings({ auth: { password_key: 'key', jwt_secret: 'Zk3-qP9.vW1_xR7!mT5?hN2+bL8=cJ4/' } }),
    {
      zonesOf: async () =>
        Array.from({ length: 60 }, (_, at) => ({
          ...zone,
          ...more,
          serverId: at + 1,
          address: `10.0.0.${at + 1}`,
        })),
      gameDatabases,
      gmCommands,
      resolveHost: async () => [],
      tcpCheck: () => async () => {
        calls++;
        if (isEnded) ended.abort();
        return fault;
      },
    },
    ended.signal,
  );
  return { calls, found: found.map(({ check, status, detail }) => `${status} ${check}: ${detail}`) };
}

test('when time runs out before every zone was checked, then the rest is counted and not contacted', async () => {
  const { calls, found } = await examineSixty({ isEnded: true });
  expect(calls).toBe(1);
  expect(found).toContain('ok zone 1 game port: 10.0.0.1:7000 answers');
  expect(found).toContainEqual(expect.stringMatching(/^warning zones: 59 of 60 were not checked/));
});

test('when there is enough time, then every zone is checked', async () => {
  const { calls, found } = await examineSixty({ isEnded: false });
  expect(calls).toBe(60);
  expect(found).toContain('ok zones 1-60 game port: all 60 are ok');
  expect(found.join()).not.toContain('were not checked');
});

test('when zones are merged into another, then their games are not checked', async () => {
  const { calls, found } = await examineSixty({ isEnded: false, mergedInto: 61, fault: 'ECONNREFUSED' });
  expect(calls).toBe(0);
  expect(found.join()).not.toContain('game port');
});

test('when withdrawals fail although the GM port answers, then the finding says since when', async () => {
  const gm = { gmUrl: 'http://10.1.1.1/gm', gmFailingSince: 1_790_000_000_000, gmFailure: 'HTTP 500' };
  const { found } = await examineSixty({ isEnded: false, ...gm });
  expect(found).toContain(
    'warning zones 1-60 GM interface: 10.1.1.1 answers; withdrawals have failed since 2026-09-21 22:13:20 Asia/Shanghai (HTTP 500)',
  );
});

test('when zones fail in the same way, then one line lists all of them and shows three', async () => {
  const { found } = await examineSixty({ isEnded: false, fault: 'ECONNREFUSED' });
  expect(found).toContain(
    'failed zones 1-60 game port: 10.0.0.1:7000: ECONNREFUSED; 10.0.0.2:7000: ECONNREFUSED; 10.0.0.3:7000: ECONNREFUSED; and 57 more',
  );
});

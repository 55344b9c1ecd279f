import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { loginRecorder } from './login-recorder.ts';

const login = (playerId: number) =>
  ({ playerId, kind: 'login', address: '203.0.113.9', userAgent: undefined }) as const;

/** Opens a recorder whose store counts what it is given and the recorder's rounds, and writes once `mayWrite` resolves. */
function openRecorder(mayWrite: Promise<unknown> = Promise.resolve()) {
  const written: number[] = [];
  let rounds = 0;
  const store = {
    async insertAll(logins: readonly unknown[]) {
      await mayWrite;
      written.push(logins.length);
    },
    addToJournal: async () => undefined,
    async moveOldest() {
      rounds += 1;
      // Longer than the time of a round, so that each calls it once.
      await sleep(120);
      return true;
    },
  };
  const log = { warn: () => undefined };
  const recorder = loginRecorder({ store, maxWaiting: 100, dropped: () => undefined, log });
  return { recorder, written, rounds: () => rounds };
}

test('when players read their logins, then the waiting ones are written first, once', async () => {
  const { recorder, written } = openRecorder();
  for (const player of [1, 2, 3]) recorder.record(login(player));
  await Promise.all([1, 2, 4].map(recorder.recorded));
  expect(written).toEqual([3]);
  await recorder.recorded(1);
  recorder.record(login(5));
  await recorder.recorded(5);
  expect(written).toEqual([3, 1]);
  await recorder.close();
});

test('when the database is slow, then readers wait no longer than a second, and share a round', async () => {
  const database = Promise.withResolvers<void>();
  const { recorder, written, rounds } = openRecorder(database.promise);
  recorder.record(login(1));
  for (let n = 0; n < 3; n++) await Promise.all(Array.from({ length: 50 }, () => recorder.recorded(1)));
  expect(written).toEqual([]);
  database.resolve();
  await recorder.flush();
  expect(written).toEqual([1]);
  // Two for the readers, one for the flush, and the periodic one.
  expect(rounds()).toBeLessThanOrEqual(4);
  await recorder.close();
});

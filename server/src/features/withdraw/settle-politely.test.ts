import { expect, test } from 'vitest';
import { settlePolitely } from './settle-politely.ts';
import type { OpenQuestion, WithdrawStore } from './store.ts';

const question = (id: string, serverId: number) =>
  ({ withdrawal: { id, serverId }, ageMs: 0 }) as OpenQuestion;

function open(questions: OpenQuestion[], settle: (id: string) => Promise<boolean>) {
  const asked: string[] = [];
  const warnings: object[] = [];
  let stopping = false;
  const round = settlePolitely({
    store: { unknown: async () => questions } as Pick<WithdrawStore, 'unknown'> as WithdrawStore,
    settle: ({ id }) => {
      asked.push(id);
      return settle(id);
    },
    stopping: () => stopping,
    log: { warn: (fields) => void warnings.push(fields) },
  });
  return {
    round,
    warnings,
    asked: () => asked.splice(0),
    stop: () => {
      stopping = true;
    },
  };
}

test('when a zone’s questions cannot be looked into, then all others are, and none is asked again at once', async () => {
  const broken = Array.from({ length: 10 }, (_, n) => question(`broken ${n}`, 1));
  const politely = open([...broken, question('right', 2), question('last', 1)], async (id) => {
    if (id.startsWith('broken')) throw new Error('away');
    return false;
  });
  await politely.round();
  expect(politely.asked()).toHaveLength(12);
  expect(politely.warnings).toHaveLength(10);
  await politely.round();
  expect(politely.asked()).toEqual([]);
});

test('when a zone has very many, then each has its turn in some round', async () => {
  const many = Array.from({ length: 50 }, (_, n) => question(`${n}`, 1));
  const politely = open(many, async () => false);
  const asked = new Set<string>();
  for (let round = 0; round < 3; round++) {
    await politely.round();
    for (const id of politely.asked()) asked.add(id);
  }
  expect(asked.size).toBe(50);
});

test('when the service stops, then nothing more is asked', async () => {
  const politely = open(
    Array.from({ length: 9 }, (_, n) => question(`${n}`, 1)),
    async () => {
      politely.stop();
      return false;
    },
  );
  await politely.round();
  expect(politely.asked()).toEqual(['0']);
});

import { expect, test } from 'vitest';
import type { OpenQuestion, WithdrawStore } from '../store/store.ts';
import { settleWithBackoff } from './settle-with-backoff.ts';

const question = (id: string, serverId: number) =>
  ({ withdrawal: { id, serverId }, ageMs: 0 }) as OpenQuestion;

function open(questions: OpenQuestion[], settle: (id: string) => Promise<boolean>) {
  const asked: string[] = [];
  const warnings: object[] = [];
  let stopping = false;
  const round = settleWithBackoff({
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
  const subject = open([...broken, question('right', 2), question('last', 1)], async (id) => {
    if (id.startsWith('broken')) throw new Error('away');
    return false;
  });
  await subject.round();
  expect(subject.asked()).toHaveLength(12);
  expect(subject.warnings).toHaveLength(10);
  await subject.round();
  expect(subject.asked()).toEqual([]);
});

test('when a zone has very many, then each has its turn in some round', async () => {
  const many = Array.from({ length: 50 }, (_, n) => question(`${n}`, 1));
  const subject = open(many, async () => false);
  const asked = new Set<string>();
  for (let round = 0; round < 3; round++) {
    await subject.round();
    for (const id of subject.asked()) asked.add(id);
  }
  expect(asked.size).toBe(50);
});

test('when the service stops, then nothing more is asked', async () => {
  const subject = open(
    Array.from({ length: 9 }, (_, n) => question(`${n}`, 1)),
    async () => {
      subject.stop();
      return false;
    },
  );
  await subject.round();
  expect(subject.asked()).toEqual(['0']);
});

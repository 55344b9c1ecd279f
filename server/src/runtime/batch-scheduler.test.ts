import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { scheduleBatch } from './batch-scheduler.ts';

test('when callbacks are scheduled in one turn, then they run at its end, together with those they schedule', async () => {
  const made: string[] = [];
  for (const round of ['first', 'second']) {
    scheduleBatch(() => {
      made.push(`${round} a`);
      scheduleBatch(() => made.push(`${round}, asked by a`));
      Promise.resolve()
        .then(() => {})
        .then(() => scheduleBatch(() => made.push(`${round}, after a promise of a`)));
    });
    scheduleBatch(() => made.push(`${round} b`));
    setImmediate(() => made.push(`${round} over`));
    made.push(`${round} begun`);
    await nextTurn();
    await nextTurn();
  }
  const expected = [' begun', ' a', ' b', ', asked by a', ', after a promise of a', ' over'];
  expect(made).toEqual(['first', 'second'].flatMap((round) => expected.map((each) => round + each)));
});

test('when callbacks schedule others endlessly, then the event loop still turns', async () => {
  let made = 0;
  let over = false;
  const again = () => {
    made += 1;
    if (!over) Promise.resolve().then(() => scheduleBatch(again));
  };
  scheduleBatch(again);
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  over = true;
  expect(made).toBeGreaterThan(3);
});

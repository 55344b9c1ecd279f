import { expect, test } from 'vitest';
import { untrueAnswers } from './answers.ts';

test('when an answer was true at no moment between request and answer, then the run reports it', () => {
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

import { expect, test } from 'vitest';
import { plot } from './plot.ts';

test('when a run is plotted, then logins are in the row of the service that answered, at their time', () => {
  const login = (side: 'old' | 'new', to: number) =>
    ({ kind: 'login', side, from: to, to, phase: 'old' }) as const;
  const events = [login('old', 0), login('old', 500), login('new', 1000)];
  const marks = [
    { phase: 'old', at: 0 },
    { phase: 'new', at: 900 },
  ] as const;
  const [title, old, ours, begins, phases] = plot({
    journal: { events, failures: [], deferred: 0 },
    marks,
  }).split('\n');
  expect(title).toBe('logins a second, at most 72; 1.0 s in all');
  expect(old).toBe(`old service  |█${' '.repeat(35)}█${' '.repeat(35)}|`);
  expect(ours).toBe(`Gatehouse    |${' '.repeat(71)}█|`);
  expect(begins).toBe(`begins       |1${' '.repeat(63)}2${' '.repeat(7)}|`);
  expect(phases).toBe('1 old, 2 new');
});

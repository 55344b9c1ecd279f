import type { Event, Kind, Side } from './players.ts';
import { type Phase, phases, type RehearsalResult } from './run.ts';

const WIDTH = 72;
const LEVELS = ' ▁▂▃▄▅▆▇█';

/** Draws the logins a second that each service answered, with the beginning of each phase. */
export function plot({ journal, marks }: Pick<RehearsalResult, 'journal' | 'marks'>): string {
  const logins = journal.events.filter(({ kind }) => kind === 'login');
  const start = marks[0]?.at ?? 0;
  const end = Math.max(...logins.map(({ to }) => to), start + 1);
  const columnOf = (at: number) => Math.min(WIDTH - 1, Math.floor(((at - start) / (end - start)) * WIDTH));
  const perSecond = (count: number) => (count * 1000 * WIDTH) / (end - start);

  const countsOf = (side: Side) => {
    const counts = new Array<number>(WIDTH).fill(0);
    for (const { to } of logins.filter((login) => login.side === side))
      counts[columnOf(to)] = (counts[columnOf(to)] ?? 0) + 1;
    return counts;
  };
  const [old, ours] = [countsOf('old'), countsOf('new')];
  const most = Math.max(...old, ...ours);
  const bars = (counts: readonly number[]) =>
    counts.map((count) => LEVELS[count === 0 ? 0 : Math.ceil((count / most) * 8)]).join('');
  const numbers = new Array<string>(WIDTH).fill(' ');
  marks.forEach(({ at }, index) => {
    numbers[columnOf(at)] = String(index + 1);
  });
  return [
    `logins a second, at most ${Math.round(perSecond(most))}; ${((end - start) / 1000).toFixed(1)} s in all`,
    `old service  |${bars(old)}|`,
    `Gatehouse    |${bars(ours)}|`,
    `begins       |${numbers.join('')}|`,
    marks.map(({ phase }, index) => `${index + 1} ${phase}`).join(', '),
  ].join('\n');
}

const kinds: readonly Kind[] = ['login', 'wrong login', 'check', 'register', 'password'];

/** Returns a row per phase: answers by kind, and the times of logins in milliseconds. */
export function phaseRows({ journal }: Pick<RehearsalResult, 'journal'>): string[][] {
  const rowOf = (name: Phase | 'all', events: readonly Event[]) => {
    const times = events
      .filter(({ kind }) => kind === 'login')
      .map(({ from, to }) => to - from)
      .toSorted((a, b) => a - b);
    const quantile = (part: number) => (times[Math.floor(times.length * part)] ?? 0).toFixed(1);
    const counts = kinds.map((kind) => String(events.filter((event) => event.kind === kind).length));
    return [name, ...counts, quantile(0.5), quantile(0.99)];
  };
  return [
    ['phase', ...kinds, 'median ms', 'p99 ms'],
    ...phases.map((phase) =>
      rowOf(
        phase,
        journal.events.filter((event) => event.phase === phase),
      ),
    ),
    rowOf('all', journal.events),
  ];
}

import { faults } from './faults.ts';
import type { RunResult } from './run.ts';
import type { Happening, Window } from './timeline.ts';

/** Everything that ought not to have come, however often, with the fault of the time. */
export function complaints({ happenings, windows }: RunResult): string[][] {
  const counts = new Map<string, number>();
  for (const happening of happenings) {
    const window = windows.find(({ from, to }) => happening.from >= from && happening.from <= to);
    if (!isComplaint(happening, window)) continue;
    const { kind, outcome, note = '' } = happening;
    const text = `${window?.fault ?? 'between faults'}: ${kind} ${outcome} ${note.replaceAll(/\s+/g, ' ').slice(0, 90)}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([text, count]) => [text, String(count)]);
}

function isComplaint({ outcome }: Happening, window: Window | undefined): boolean {
  if (outcome === 'ok') return false;
  if (outcome === 'wrong' || outcome === 'unclean') return true;
  return faults.some(({ name, isRoutine }) => isRoutine && name === window?.fault);
}

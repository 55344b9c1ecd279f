import { faults } from './faults.ts';
import type { RunResult } from './run.ts';
import type { CompletedRequest, Window } from './timeline.ts';

export function unexpectedOutcomes({ requests, windows }: RunResult): string[][] {
  const counts = new Map<string, number>();
  for (const request of requests) {
    const window = windows.find(({ from, to }) => request.from >= from && request.from <= to);
    if (!isUnexpected(request, window)) continue;
    const { kind, outcome, note = '' } = request;
    const text = `${window?.fault ?? 'between faults'}: ${kind} ${outcome} ${note.replaceAll(/\s+/g, ' ').slice(0, 90)}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([text, count]) => [text, String(count)]);
}

function isUnexpected({ outcome }: CompletedRequest, window: Window | undefined): boolean {
  if (outcome === 'ok') return false;
  if (outcome === 'wrong' || outcome === 'unclean') return true;
  return faults.some(({ name, isRoutine }) => isRoutine && name === window?.fault);
}

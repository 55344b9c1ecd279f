import type { Fault } from './fault.ts';

/** Returns every fault once in random order, repeated until there are enough. */
export function schedule(faults: readonly Fault[], count: number, random: () => number): Fault[] {
  const plan: Fault[] = [];
  while (plan.length < count) plan.push(...shuffled(faults, random));
  return plan.slice(0, count);
}

function shuffled<T>(things: readonly T[], random: () => number): T[] {
  return things
    .map((thing) => ({ thing, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ thing }) => thing);
}

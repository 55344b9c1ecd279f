/** Remembers at least so many of the latest, at most twice as many. Forgets half at once: one by one costs far more. */
export function recentOnes(least: number) {
  let [newer, older] = [new Set<string>(), new Set<string>()];
  return {
    has: (key: string) => newer.has(key) || older.has(key),
    add(key: string): void {
      newer.add(key);
      if (newer.size >= least) [newer, older] = [new Set(), newer];
    },
  };
}

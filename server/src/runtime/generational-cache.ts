/**
 * Keeps at least the `size` entries that were last set or read, and at most twice as many. Evicts a whole generation at once:
 * an LRU cache moves an entry on every read, which costs far more.
 */
export function generationalCache<Key, Value>(size: number) {
  let [young, old] = [new Map<Key, Value>(), new Map<Key, Value>()];

  function set(key: Key, value: Value): void {
    young.set(key, value);
    if (young.size >= size) [young, old] = [new Map(), young];
  }

  return {
    get(key: Key) {
      const found = young.get(key);
      if (found !== undefined) return found;
      const survivor = old.get(key);
      if (survivor !== undefined) set(key, survivor);
      return survivor;
    },
    set,
  };
}

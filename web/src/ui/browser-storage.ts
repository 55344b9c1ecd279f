/** A named value in the browser's storage. If storage is forbidden, it lasts as long as the page. */
export interface StoredValue {
  get(): string | null;
  set(value: string): void;
  remove(): void;
}

/** Stored per tab. */
export const sessionValue = (key: string) => storedValue(() => sessionStorage, key);
/** Stored per browser. */
export const localValue = (key: string) => storedValue(() => localStorage, key);

function storedValue(storage: () => Storage, key: string): StoredValue {
  let memory: string | null = null;
  // Even accessing the storage throws if cookies are blocked.
  const attempt = <T>(action: (from: Storage) => T, otherwise: T): T => {
    try {
      return action(storage());
    } catch {
      return otherwise;
    }
  };

  return {
    get: () => attempt((from) => from.getItem(key), null) ?? memory,
    set(value) {
      memory = value;
      attempt((to) => to.setItem(key, value), undefined);
    },
    remove() {
      memory = null;
      attempt((from) => from.removeItem(key), undefined);
    },
  };
}

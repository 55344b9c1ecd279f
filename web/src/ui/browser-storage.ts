/** One named value in the browser's storage. A browser that forbids storage keeps it for as long as the page lives. */
export interface StoredValue {
  get(): string | null;
  set(value: string): void;
  remove(): void;
}

/** For this tab. */
export const sessionValue = (key: string) => storedValue(() => sessionStorage, key);
/** For this browser. */
export const localValue = (key: string) => storedValue(() => localStorage, key);

function storedValue(storage: () => Storage, key: string): StoredValue {
  let memory: string | null = null;
  // Even naming the storage throws where cookies are blocked.
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

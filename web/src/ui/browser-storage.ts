/** One named value in the browser. A browser that forbids storage keeps it for as long as the page lives. */
export interface Kept {
  read(): string | null;
  write(value: string): void;
  forget(): void;
}

export const forThisTab = (key: string) => kept(() => sessionStorage, key);
export const forThisBrowser = (key: string) => kept(() => localStorage, key);

function kept(storage: () => Storage, key: string): Kept {
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
    read: () => attempt((from) => from.getItem(key), null) ?? memory,
    write(value) {
      memory = value;
      attempt((to) => to.setItem(key, value), undefined);
    },
    forget() {
      memory = null;
      attempt((from) => from.removeItem(key), undefined);
    },
  };
}

import type { ActorsTable } from './actors-table.ts';
import type { Ledger } from './ledger.ts';

const retryMs = 1_000;

/**
 * Writes changed roles to the game database every `interval` seconds, as games do; 0 saves every change immediately. If the
 * database is down, the save is retried.
 */
export function startSaving(parts: { ledger: Ledger; actors: ActorsTable; interval: number }) {
  const { ledger, actors, interval } = parts;
  let lastError: string | null = null;
  let previous: Promise<void> = Promise.resolve();

  async function write(roleIds: readonly number[]) {
    if (roleIds.length === 0) return;
    ledger.forgetUnsaved(roleIds);
    try {
      await actors.save(roleIds.map(ledger.role));
      lastError = null;
    } catch (error) {
      ledger.keepUnsaved(roleIds);
      lastError = error instanceof Error ? error.message : String(error);
      throw error;
    }
  }

  // Serialize saves, so that an older balance never overwrites a newer one.
  function afterPrevious(save: () => Promise<void>): Promise<void> {
    const saving = previous.then(save);
    previous = saving.catch(() => {});
    return saving;
  }

  const save = () => afterPrevious(() => write(ledger.unsaved()));
  const saveOrKeep = () => save().catch(() => {});
  const timer = setInterval(saveOrKeep, interval > 0 ? interval * 1_000 : retryMs);

  return {
    save,
    saveRole: (roleId: number) => afterPrevious(() => write([roleId])),
    removeRole: (roleId: number) => afterPrevious(() => actors.remove(roleId)),
    /** Called after every change; saves immediately if the interval is 0. */
    changed: (): Promise<void> => (interval === 0 ? saveOrKeep() : Promise.resolve()),
    lastError: () => lastError,
    async stop() {
      clearInterval(timer);
      await save();
    },
  };
}

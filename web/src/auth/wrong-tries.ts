import { sessionValue } from '../ui/browser-storage.ts';

/** From this one on a player is told how many are left. */
const WARN_FROM = 3;
const stored = sessionValue('gatehouse.wrong');

/**
 * Counts wrong passwords for one account as this tab has seen them: the service says the same whether or not the account
 * exists, and so does this.
 */
export const wrongTries = {
  /** How many are left, where it is time to say so. */
  count(account: string, limit: number): number | null {
    const name = account.trim().toLowerCase();
    const before = parsed(stored.get());
    const wrong = before.name === name ? before.wrong + 1 : 1;
    stored.set(JSON.stringify({ name, wrong }));
    return wrong >= WARN_FROM && wrong < limit ? limit - wrong : null;
  },
  clear: () => stored.remove(),
};

function parsed(text: string | null): { name: string; wrong: number } {
  try {
    return text === null ? { name: '', wrong: 0 } : JSON.parse(text);
  } catch {
    return { name: '', wrong: 0 };
  }
}

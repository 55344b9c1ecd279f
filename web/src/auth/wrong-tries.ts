import { sessionValue } from '../ui/browser-storage.ts';

/** From this attempt on, the player sees how many are left. */
const WARN_FROM = 3;
const stored = sessionValue('gatehouse.wrong');

/** Counts wrong passwords per account as seen by this tab. Like the service, it does not depend on whether the account exists. */
export const wrongTries = {
  /** Returns how many attempts are left, or null if it is too early to warn. */
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

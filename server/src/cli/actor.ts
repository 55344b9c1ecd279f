import { userInfo } from 'node:os';
import type { Actor } from '../features/audit/entry.ts';

/** Returns the actor of the command line, as recorded in the audit. */
export const cliActor = (): Actor => ({ name: userName(), via: 'cli' });

/** Returns the user's name, also behind sudo. In a container, the user may be a number without a name. */
function userName(): string {
  if (process.env.SUDO_USER) return process.env.SUDO_USER;
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

import { userInfo } from 'node:os';
import type { Actor } from '../features/audit/entry.ts';

/** The operator at the keyboard, as the audit records name one. */
export const cliActor = (): Actor => ({ name: userName(), via: 'cli' });

/** Who is at the keyboard, also behind sudo; in a container that may be a number without a name. */
function userName(): string {
  if (process.env.SUDO_USER) return process.env.SUDO_USER;
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

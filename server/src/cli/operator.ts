import { userInfo } from 'node:os';

/** Who is at the keyboard, also behind sudo; in a container that may be a number without a name. */
export function operator(): string {
  if (process.env.SUDO_USER) return process.env.SUDO_USER;
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

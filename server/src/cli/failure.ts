import { CommanderError } from 'commander';
import { DatabaseUnavailable } from '../db/errors.ts';

/** Exit statuses by which scripts can tell failures apart. */
export const EXIT = { failed: 1, usage: 2, notFound: 3, unreachable: 4 } as const;

/** Thrown if what the command names does not exist. */
export class NotFound extends Error {
  override readonly name = 'NotFound';
}

/** Returns a usage error that Commander does not detect. */
export const usage = (message: string) => new CommanderError(EXIT.usage, 'gatehouse.usage', message);

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
]);

export function exitStatusOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
  if (error instanceof NotFound) return EXIT.notFound;
  return isUnreachable(error) ? EXIT.unreachable : EXIT.failed;
}

/** Also checks the cause: a command may wrap an error in its own words. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseUnavailable || UNREACHABLE.has(String(Reflect.get(error, 'code'))))
    return true;
  return isUnreachable(error.cause);
}

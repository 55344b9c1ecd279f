import { CommanderError } from 'commander';
import { DatabaseUnavailable } from '../db/errors.ts';

/** What scripts can tell failures apart by. */
export const EXIT = { failed: 1, usage: 2, notFound: 3, unreachable: 4 } as const;

/** What the command names is not there. */
export class NotFound extends Error {
  override readonly name = 'NotFound';
}

/** A call that cannot be meant so, where the library does not see it. */
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

/** A command may say in its own words what a part it needs has said. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseUnavailable || UNREACHABLE.has(String(Reflect.get(error, 'code'))))
    return true;
  return isUnreachable(error.cause);
}

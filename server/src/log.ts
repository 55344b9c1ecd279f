import { type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from './settings/schema.ts';

const FLUSH_MS = 200;
const BUFFER_BYTES = 15 * 1024;

/** Names under which a secret might be logged by mistake; their values never reach a line. */
const SECRETS = [
  'password',
  'token',
  'code',
  'ticket',
  'secret',
  'key',
  'authorization',
  'cookie',
  'signature',
];

export interface Log {
  readonly log: Logger;
  /** Writes out what is still buffered. */
  flush(): void;
}

/** Buffered JSON lines: a write per request would cost a third of the hot routes' rate. */
export function openLog({ level, file }: Settings['log']): Log {
  const destination = pino.destination({
    ...(file ? { dest: file, mkdir: true } : { dest: 1 }),
    minLength: BUFFER_BYTES,
    sync: false,
  });
  const timer = setInterval(() => destination.flush(), FLUSH_MS);
  timer.unref();
  return {
    log: createLogger(level, destination),
    flush() {
      clearInterval(timer);
      try {
        destination.flushSync();
      } catch {
        // Standard output is gone already; there is nobody left to tell.
      }
    },
  };
}

export function createLogger(level: string, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '…' },
      serializers: { err: plainError },
    },
    destination,
  );
}

/** Just what helps: drivers hang statements and parameters on their errors, and those do not belong in a log. */
function plainError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: error.name,
    message: error.message,
    ...(code !== undefined && { code }),
    stack: error.stack,
  };
}

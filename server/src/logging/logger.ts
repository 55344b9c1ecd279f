import { mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { type DestinationStream, type Logger, pino } from 'pino';
import { startJob } from '../runtime/job.ts';
import { doneWithin } from '../runtime/with-timeout.ts';
import type { Settings } from '../settings/schema.ts';
import { openLineWriter } from './line-writer.ts';

const FLUSH_MS = 200;
/** A stalled reader of a pipe must not keep the process from ending. */
const DRAIN_WITHIN_MS = 1000;
const STANDARD_OUTPUT = 1;

/** Field names under which a secret might be logged by mistake; their values are redacted. */
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

/** Opens a log of buffered JSON lines: one write per request would cost a third of the hot routes' rate. */
export function openLog({ level, file }: Pick<Settings['log'], 'level' | 'file'>) {
  const destination = openLineWriter(file === undefined ? STANDARD_OUTPUT : openForAppending(file));
  const flushing = startJob({ intervalMs: FLUSH_MS, firstAfterMs: FLUSH_MS, work: destination.flush });
  function writeOut(): void {
    try {
      destination.flushSync();
    } catch {
      // Standard output is closed; there is nowhere to report it.
    }
  }
  process.on('exit', writeOut);
  return {
    log: createLogger(level, destination),
    /** Writes out buffered lines and ends the periodic writing. */
    async flush() {
      await flushing.close();
      if (await doneWithin(destination.drain(), DRAIN_WITHIN_MS)) process.off('exit', writeOut);
    },
  };
}

/** Lines contain accounts and addresses. */
const OWNER_ONLY = 0o600;

function openForAppending(file: string): number {
  try {
    mkdirSync(dirname(file), { recursive: true });
    return openSync(file, 'a', OWNER_ONLY);
  } catch (error) {
    throw new Error(`cannot write the log ${file}: ${(error as Error).message}`);
  }
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

/** Keeps only what helps diagnosis: drivers attach statements and parameters to errors, which must not be logged. */
function plainError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as NodeJS.ErrnoException;
  const { cause } = error;
  return {
    type: error.name,
    message: error.message,
    // Not as `code`, which is redacted because codes can be secret.
    ...(code !== undefined && { errno: code }),
    ...(cause instanceof Error && { cause: cause.message }),
    stack: error.stack,
  };
}

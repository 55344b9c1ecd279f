import { mkdirSync, openSync, write, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from './settings/schema.ts';

const FLUSH_MS = 200;
const LINES_AT_ONCE = 256;
/** When the reader of a pipe has fallen behind. */
const RETRY_MS = 20;
const STANDARD_OUTPUT = 1;

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
  const destination = openLines(file === undefined ? STANDARD_OUTPUT : openForAppending(file));
  const timer = setInterval(destination.flush, FLUSH_MS);
  timer.unref();
  function writeOut(): void {
    try {
      destination.flushSync();
    } catch {
      // Standard output is gone already; there is nobody left to tell.
    }
  }
  process.on('exit', writeOut);
  return {
    log: createLogger(level, destination),
    flush() {
      clearInterval(timer);
      process.off('exit', writeOut);
      writeOut();
    },
  };
}

function openForAppending(file: string): number {
  try {
    mkdirSync(dirname(file), { recursive: true });
    return openSync(file, 'a');
  } catch (error) {
    throw new Error(`cannot write the log ${file}: ${(error as Error).message}`);
  }
}

/** Text, or what words itself when it is written out. */
type Line = string | { toString(): string };

interface Lines {
  write(line: Line): void;
  flush(): void;
  flushSync(): void;
}

/**
 * Lines gather and leave in large writes, one at a time and off the main thread, so that a slow disk or reader holds
 * nobody up. Pino's own destination looks at every line several times, an eighth of the fastest routes.
 */
function openLines(descriptor: number): Lines {
  let gathered: Line[] = [];
  let leaving: Buffer | undefined;

  function takeAll(): Buffer {
    let text = '';
    for (const line of gathered) text += line;
    gathered = [];
    return Buffer.from(text);
  }

  function flush(): void {
    if (leaving !== undefined || gathered.length === 0) return;
    leaving = takeAll();
    send(leaving);
  }

  function send(bytes: Buffer): void {
    write(descriptor, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') return void setTimeout(send, RETRY_MS, bytes);
      leaving = error ? undefined : bytes.subarray(written);
      if (leaving !== undefined && leaving.length > 0) return send(leaving);
      leaving = undefined;
      if (gathered.length >= LINES_AT_ONCE) flush();
    });
  }

  return {
    write(line) {
      gathered.push(line);
      if (gathered.length >= LINES_AT_ONCE) flush();
    },
    flush,
    flushSync() {
      const bytes = takeAll();
      for (let start = 0; start < bytes.length; ) start += writeSync(descriptor, bytes, start);
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

import { fstatSync, write, writeSync } from 'node:fs';
import { escapeControls } from '../runtime/control-characters.ts';

const FLUSH_LINES = 256;
/** Upper bound while the reader of a pipe is stalled; some tens of megabytes. */
const MAX_BUFFERED_LINES = 100_000;
/** Delay before writing again to a pipe that is full. */
const RETRY_MS = 20;
/** PIPE_BUF: writes up to this size are atomic, so that processes sharing a pipe do not interleave; appends to a file need no limit. */
const ATOMIC_PIPE_WRITE = 4096;
const STANDARD_ERROR = 2;
const NEWLINE = 10;

/** Text, or an object formatted when it is written, which escapes control characters itself: only a few of its fields can have any. */
type Line = string | { toString(): string };

/**
 * Buffers lines and writes them in large chunks, one at a time and off the main thread, so that a slow disk or reader blocks
 * nothing. Pino's own destination inspects every line several times, which costs an eighth of the fastest routes.
 */
export function openLineWriter(descriptor: number) {
  const maxBytes = fstatSync(descriptor).isFile() ? undefined : ATOMIC_PIPE_WRITE;
  let buffered: Line[] = [];
  let writing: Buffer[] = [];
  let failing = false;
  let isTorn = false;
  const draining: (() => void)[] = [];

  function takeBuffered(): Buffer[] {
    const texts = buffered.map((line) => (typeof line === 'string' ? escapeControls(line) : String(line)));
    buffered = [];
    return maxBytes === undefined ? [Buffer.from(texts.join(''))] : chunks(texts, maxBytes);
  }

  function flush(): void {
    if (writing.length > 0 || buffered.length === 0) return;
    writing = takeBuffered();
    writeNext();
  }

  function writeNext(): void {
    const [chunk] = writing;
    if (chunk !== undefined) writeChunk(isTorn ? Buffer.concat([Buffer.of(NEWLINE), chunk]) : chunk);
    else if (buffered.length >= FLUSH_LINES) flush();
    else for (const resume of draining.splice(0)) resume();
  }

  function writeChunk(bytes: Buffer): void {
    write(descriptor, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') return void setTimeout(writeChunk, RETRY_MS, bytes);
      if (error) reportLoss(error);
      else {
        // On a full disk part of a line is written. The next chunk must not continue that line.
        isTorn = bytes[written - 1] !== NEWLINE;
        if (written < bytes.length) return writeChunk(bytes.subarray(written));
        failing = false;
      }
      writing.shift();
      writeNext();
    });
  }

  /** Reports lost lines once per failure. The service keeps running while the disk is full. */
  function reportLoss(error: Error): void {
    if (failing) return;
    failing = true;
    try {
      // If standard error is a file on the same full disk, process.stderr would end the process by an unhandled error event.
      writeSync(STANDARD_ERROR, `gatehouse: log lines are lost, ${error.message}\n`);
    } catch {
      // There is nowhere else to report it.
    }
  }

  return {
    write(line: Line): void {
      if (buffered.length === MAX_BUFFERED_LINES) return void reportLoss(new Error('nobody reads them'));
      buffered.push(line);
      if (buffered.length >= FLUSH_LINES) flush();
    },
    flush,
    /** Resolves when every line is written, in order. */
    async drain(): Promise<void> {
      flush();
      while (writing.length > 0) {
        await new Promise<void>((resume) => draining.push(resume));
        flush();
      }
    },
    flushSync(): void {
      // The first chunk is already being written.
      for (const bytes of [...writing.splice(1), ...takeBuffered()])
        for (let start = 0; start < bytes.length; ) start += writeSync(descriptor, bytes, start);
    },
  };
}

/** Packs whole lines into chunks; a line longer than the limit gets its own. */
function chunks(lines: readonly string[], maxBytes: number): Buffer[] {
  const result: Buffer[] = [];
  let chunk = '';
  let size = 0;
  for (const line of lines) {
    const bytes = Buffer.byteLength(line);
    if (size > 0 && size + bytes > maxBytes) {
      result.push(Buffer.from(chunk));
      chunk = '';
      size = 0;
    }
    chunk += line;
    size += bytes;
  }
  return [...result, Buffer.from(chunk)];
}

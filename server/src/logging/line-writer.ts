import { fstatSync, write, writeSync } from 'node:fs';

const LINES_AT_ONCE = 256;
/** What may wait for a reader that has stopped reading; some tens of megabytes. */
const MOST_WAITING = 100_000;
/** When the reader of a pipe has fallen behind. */
const RETRY_MS = 20;
/** What several processes may write to one pipe without tearing each other's lines; appending to a file has no limit. */
const WHOLE_PIPE_WRITE = 4096;

/** Text, or what words itself when it is written out. */
type Line = string | { toString(): string };

export interface LineWriter {
  write(line: Line): void;
  flush(): void;
  flushSync(): void;
}

/**
 * LineWriter gather and leave in large writes, one at a time and off the main thread, so that a slow disk or reader holds
 * nobody up. Pino's own destination looks at every line several times, an eighth of the fastest routes.
 */
export function openLineWriter(descriptor: number): LineWriter {
  const mostBytes = fstatSync(descriptor).isFile() ? undefined : WHOLE_PIPE_WRITE;
  let gathered: Line[] = [];
  let leaving: Buffer[] = [];
  let failing = false;

  function takeAll(): Buffer[] {
    const texts = gathered.map(String);
    gathered = [];
    return mostBytes === undefined ? [Buffer.from(texts.join(''))] : pieces(texts, mostBytes);
  }

  function flush(): void {
    if (leaving.length > 0 || gathered.length === 0) return;
    leaving = takeAll();
    sendNext();
  }

  function sendNext(): void {
    const [piece] = leaving;
    if (piece !== undefined) send(piece);
    else if (gathered.length >= LINES_AT_ONCE) flush();
  }

  function send(bytes: Buffer): void {
    write(descriptor, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') return void setTimeout(send, RETRY_MS, bytes);
      if (error) complain(error);
      else if (written < bytes.length) return send(bytes.subarray(written));
      else failing = false;
      leaving.shift();
      sendNext();
    });
  }

  /** Once: players go on playing while the disk is full, and the operator should know what is missing. */
  function complain(error: Error): void {
    if (!failing) process.stderr.write(`gatehouse: log lines are lost, ${error.message}\n`);
    failing = true;
  }

  return {
    write(line) {
      if (gathered.length === MOST_WAITING) return complain(new Error('nobody reads them'));
      gathered.push(line);
      if (gathered.length >= LINES_AT_ONCE) flush();
    },
    flush,
    flushSync() {
      // The first piece that is leaving is on its way already.
      for (const bytes of [...leaving.splice(1), ...takeAll()])
        for (let start = 0; start < bytes.length; ) start += writeSync(descriptor, bytes, start);
    },
  };
}

/** As many whole lines in each as fit; a longer line goes alone. */
function pieces(lines: readonly string[], mostBytes: number): Buffer[] {
  const result: Buffer[] = [];
  let piece = '';
  let size = 0;
  for (const line of lines) {
    const bytes = Buffer.byteLength(line);
    if (size > 0 && size + bytes > mostBytes) {
      result.push(Buffer.from(piece));
      piece = '';
      size = 0;
    }
    piece += line;
    size += bytes;
  }
  return [...result, Buffer.from(piece)];
}

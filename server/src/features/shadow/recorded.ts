import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { Exchange } from './exchange.ts';
import type { Place, Shadow } from './shadow.ts';

const BATCH = 64;

/** Compares the exchanges of a file of JSON lines; `-` is standard input. */
export async function compareRecorded(file: string, shadow: Shadow): Promise<void> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  const failed = new Promise<never>((_, reject) => {
    input.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(`cannot read ${file} (${error.code ?? 'unknown'})`)),
    );
  });
  await Promise.race([compareLines(input, shadow), failed]);
}

async function compareLines(input: NodeJS.ReadableStream, shadow: Shadow): Promise<void> {
  let batch: Place[] = [];
  let line = 0;
  for await (const text of createInterface({ input })) {
    line++;
    if (text.trim() === '') continue;
    const exchange = exchangeOf(text);
    if (exchange) batch.push({ exchange, at: String(line) });
    else shadow.countUnreadable();
    if (batch.length < BATCH) continue;
    await shadow.compareAll(batch);
    batch = [];
  }
  await shadow.compareAll(batch);
}

/** Parses a line, or returns undefined if it is not an exchange. */
function exchangeOf(line: string): Exchange | undefined {
  try {
    const { request, answer } = JSON.parse(line);
    const { url, type = '', body = '' } = request;
    const { status, body: answered = '' } = answer;
    if ([url, type, body, answered].some((text) => typeof text !== 'string')) return undefined;
    if (!Number.isInteger(status)) return undefined;
    return {
      request: { url, type, body: Buffer.from(body) },
      answer: { status, body: Buffer.from(answered) },
    };
  } catch {
    return undefined;
  }
}

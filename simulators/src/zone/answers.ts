import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultName } from './faults.ts';
import { refuse } from './gm-commands.ts';

export type AnswerContext = {
  /** The correct answer, as JSON. */
  body: string;
  /** Number of the request, which rotates the kinds of junk. */
  turn: number;
  ms: number;
  location: string;
  signal: AbortSignal;
};

type Answer = (response: ServerResponse, context: AnswerContext) => void | Promise<void>;

const hugeBytes = 100 * 1024 * 1024;
const chunkBytes = 64 * 1024;

const junk = [
  '<!DOCTYPE html><html><head><title>Login</title></head><body>Please log in</body></html>',
  '',
  'OK',
  'null',
  '0',
  '[]',
  '{"result":',
  '{"msg":"ok"}',
  Buffer.from([0x00, 0xff, 0xfe, 0x80, 0x0d, 0x0a, 0x1f, 0x8b]),
];

/** The response for each fault, and whether the deduction is executed first. */
export const behaviours: Record<FaultName, { executes: boolean; answer: Answer }> = {
  ok: { executes: true, answer: whole },
  delay: { executes: true, answer: whole },
  hold: { executes: true, answer: whole },
  timeout_before: { executes: false, answer: never },
  timeout_after: { executes: true, answer: never },
  drop_before: { executes: false, answer: reset },
  drop_after: { executes: true, answer: reset },
  garbage_before: { executes: false, answer: garbage },
  garbage_after: { executes: true, answer: garbage },
  http_500_before: { executes: false, answer: serverError },
  http_500_after: { executes: true, answer: serverError },
  half_answer: { executes: true, answer: half },
  twice: { executes: true, answer: twice },
  twice_on_wire: { executes: true, answer: twiceOnWire },
  redirect: { executes: false, answer: redirect },
  drip: { executes: true, answer: drip },
  huge: { executes: true, answer: huge },
  refuse: { executes: false, answer: (response) => sendJson(response, JSON.stringify(refuse('refused'))) },
  not_enough: {
    executes: false,
    answer: (response) => sendJson(response, JSON.stringify(refuse('not_enough'))),
  },
};

function sendJson(response: ServerResponse, body: string) {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function whole(response: ServerResponse, { body }: AnswerContext) {
  sendJson(response, body);
}

function never() {}

function reset(response: ServerResponse) {
  response.socket?.resetAndDestroy();
}

function garbage(response: ServerResponse, { turn }: AnswerContext) {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(junk[turn % junk.length]);
}

function serverError(response: ServerResponse) {
  response.writeHead(500, { 'content-type': 'text/plain' });
  response.end('Internal Server Error');
}

function half(response: ServerResponse, { body }: AnswerContext) {
  const bytes = Buffer.from(body);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length / 2), () => response.socket?.destroy());
}

function twice(response: ServerResponse, { body }: AnswerContext) {
  sendJson(response, body + body);
}

// A client that reuses the connection reads the second copy as the next answer.
function twiceOnWire(response: ServerResponse, { body }: AnswerContext) {
  const { socket } = response;
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
  response.once('finish', () => socket?.write(`${head}\r\n\r\n${body}`));
  sendJson(response, body);
}

function redirect(response: ServerResponse, { location }: AnswerContext) {
  response.writeHead(302, { location });
  response.end();
}

function drip(response: ServerResponse, { body, ms, signal }: AnswerContext) {
  const bytes = Buffer.from(body);
  async function* byteByByte() {
    for (const byte of bytes) {
      yield Buffer.from([byte]);
      await sleep(ms, undefined, { signal });
    }
  }
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
  return stream(byteByByte(), response);
}

// Sends a plausible but huge success: valid JSON with 100 MB of padding.
function huge(response: ServerResponse, { body }: AnswerContext) {
  const head = Buffer.from(`${body.slice(0, -1)},"padding":"`);
  const tail = Buffer.from('"}');
  const chunk = Buffer.alloc(chunkBytes, 'x');
  function* chunks() {
    yield head;
    let left = hugeBytes - head.length - tail.length;
    for (; left > chunkBytes; left -= chunkBytes) yield chunk;
    yield chunk.subarray(0, left);
    yield tail;
  }
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': hugeBytes });
  return stream(chunks(), response);
}

// Ignores a client that hangs up half way.
function stream(chunks: Iterable<Buffer> | AsyncIterable<Buffer>, response: ServerResponse): Promise<void> {
  return pipeline(Readable.from(chunks, { objectMode: false }), response).catch(() => {});
}

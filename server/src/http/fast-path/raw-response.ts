import { type ServerResponse, STATUS_CODES } from 'node:http';
import { scheduleBatch } from '../../runtime/batch-scheduler.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** All of a head that does not differ from answer to answer. */
export interface ResponseHead {
  readonly status: number;
  /** Names and values in turns. */
  readonly headers: readonly string[];
  /** The status line and those headers, as they go over the wire. */
  readonly start: string;
}

export function responseHead(status: number, headers: readonly string[]): ResponseHead {
  const lines = headers.map((part, index) => (index % 2 === 0 ? `${part}: ` : `${part}\r\n`));
  return { status, headers, start: `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}` };
}

/** One character for each byte of UTF-8: head and body then leave in one write. */
export function latin1OfUtf8(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}

/** An answer of which nothing is left to do but to send it. */
export interface RawResponse {
  readonly head: ResponseHead;
  readonly requestId: string;
  /** One character for each byte; empty only where there is no body at all. */
  readonly body: string;
  /** The whole answer, as it goes over a connection that is kept. */
  readonly whole: string;
}

export function rawResponse(head: ResponseHead, requestId: string, body: string): RawResponse {
  const length = body === '' ? '' : `content-length: ${body.length}\r\n`;
  const end = `x-request-id: ${requestId}\r\nDate: ${dateText()}\r\nConnection: keep-alive\r\n\r\n`;
  return { head, requestId, body, whole: head.start + length + end + body };
}

/**
 * Sends it together with the other answers of this turn, one right after the other: callers then stay awake in between,
 * and waking one up costs more than the sending. Whoever waits behind another answer, or is told goodbye, is served the
 * long way.
 */
export function sendBatched(response: ServerResponse, answer: RawResponse): void {
  scheduleBatch(() => {
    const { socket, shouldKeepAlive } = response;
    if (!socket || !shouldKeepAlive) return void sendUnbatched(response, answer);
    socket.write(answer.whole, 'latin1');
    scheduleBatch(() => markSent(response, answer));
  });
}

function sendUnbatched(response: ServerResponse, { head, requestId, body }: RawResponse): void {
  const length = body === '' ? [] : ['content-length', String(body.length)];
  response.writeHead(head.status, ['x-request-id', requestId, ...head.headers, ...length]);
  response.end(body, 'latin1');
}

/** Tells node:http that this answer is out; see docs/decisions/0008-ready-answers.md. */
function markSent(response: ServerResponse & Sent, { head, whole }: RawResponse): void {
  response.statusCode = head.status;
  response._header = whole;
  response._headerSent = true;
  response.end();
}

/** Where node:http keeps what it has sent of an answer. */
interface Sent {
  _header?: string;
  _headerSent?: boolean;
}

let dateSecond = 0;
let date = '';

/** Worded once a second. */
function dateText(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    date = new Date(second * 1000).toUTCString();
  }
  return date;
}

import { type ServerResponse, STATUS_CODES } from 'node:http';
import { scheduleBatch } from '../../runtime/batch-scheduler.ts';
import { cutConnection } from '../cut-connection.ts';
import { REQUEST_ID } from '../headers.ts';
import { unreadBytes } from '../responses-in-turn.ts';

/** All of a head that does not differ from response to response. */
export interface ResponseHead {
  readonly status: number;
  /** Names and values in turns. */
  readonly headers: readonly string[];
  /** The status line and those headers, as they go over the wire. */
  readonly start: string;
}

export function responseHead(status: number, headers: Readonly<Record<string, string>>): ResponseHead {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return {
    status,
    headers: Object.entries(headers).flat(),
    start: flat(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}`),
  };
}

/** V8 keeps joined strings as a tree of their parts; each write would walk it anew. */
const flat = (text: string) => Buffer.from(text, 'latin1').toString('latin1');

/** One character for each byte of UTF-8: head and body then leave in one write. */
export function latin1OfUtf8(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}

/** A response of which nothing is left to do but to send it. */
export interface RawResponse {
  readonly head: ResponseHead;
  readonly requestId: string;
  /** One character for each byte; empty only where there is no body at all. */
  readonly body: string;
  /** The whole response, as it goes over a connection that is kept. */
  readonly whole: string;
}

export type RenderResponse = (requestId: string) => RawResponse;

export function rawResponse(head: ResponseHead, requestId: string, body: string): RawResponse {
  return { head, requestId, body, whole: upToRequestId(head, body) + requestId + lastLines() + body };
}

/** For a body that is sent many times: all but the request id is joined once a second. */
export function repeatedResponse(head: ResponseHead, body: string): RenderResponse {
  const before = flat(upToRequestId(head, body));
  let lines = '';
  let after = '';
  return (requestId) => {
    if (lines !== lastLines()) {
      lines = lastLines();
      after = flat(lines + body);
    }
    return { head, requestId, body, whole: before + requestId + after };
  };
}

function upToRequestId({ start }: ResponseHead, body: string): string {
  return body === ''
    ? `${start}${REQUEST_ID}: `
    : `${start}content-length: ${body.length}\r\n${REQUEST_ID}: `;
}

/** A client that pipelines requests and does not read the responses is cut beyond this. */
const MAX_UNREAD = 1024 * 1024;

/**
 * Writes it together with the other responses of this event-loop iteration: batched writes avoid one wake-up of the client
 * per response, which costs more than the write. A response that is queued behind another on its connection, or is the
 * last one on it, takes node:http's documented way.
 */
export function sendBatched(response: ServerResponse, raw: RawResponse): void {
  scheduleBatch(() => {
    const { socket, shouldKeepAlive } = response;
    if (!socket || !shouldKeepAlive) return void sendUnbatched(response, raw);
    socket.write(raw.whole, 'latin1');
    scheduleBatch(() => markSent(response, raw));
  });
}

function sendUnbatched(response: ServerResponse, { head, requestId, body }: RawResponse): void {
  const length = body === '' ? [] : ['content-length', String(body.length)];
  response.writeHead(head.status, [REQUEST_ID, requestId, ...head.headers, ...length]);
  response.end(body, 'latin1');
  if (!response.socket && unreadBytes(response.req.socket) > MAX_UNREAD) cutConnection(response.req.socket);
}

/** Tells node:http that this response is out; see docs/decisions/0008-raw-responses.md. */
function markSent(response: ServerResponse & Sent, { head, whole }: RawResponse): void {
  response.statusCode = head.status;
  response._header = whole;
  response._headerSent = true;
  response.end();
}

/** Where node:http keeps what it has sent of a response. */
interface Sent {
  _header?: string;
  _headerSent?: boolean;
}

let datedLines: string | undefined;

/** What follows the request id in every head. Like node:http's own, the date is rendered once a second. */
function lastLines(): string {
  if (datedLines !== undefined) return datedLines;
  const now = Date.now();
  setTimeout(forgetDate, 1000 - (now % 1000)).unref();
  datedLines = flat(`\r\nDate: ${new Date(now).toUTCString()}\r\nConnection: keep-alive\r\n\r\n`);
  return datedLines;
}

function forgetDate(): void {
  datedLines = undefined;
}

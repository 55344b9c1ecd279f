import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { scheduleBatch } from '../../runtime/batch-scheduler.ts';
import { REQUEST_ID } from '../headers.ts';
import { STATUS_CODES } from '../node-http.ts';
import { unreadBytes } from '../responses-in-turn.ts';

/** The constant part of a response head. */
export interface ResponseHead {
  readonly status: number;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  /** The status line and those headers, in wire format. */
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

/** Flattens a concatenated string. V8 keeps it as a tree, and each write would walk that again. */
const flat = (text: string) => Buffer.from(text, 'latin1').toString('latin1');

/** Encodes UTF-8 as one character per byte, so that head and body leave in one write. */
export function latin1OfUtf8(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}

/** A response ready to be sent. */
export interface RawResponse {
  readonly head: ResponseHead;
  readonly requestId: string;
  /** One character per byte; empty only if there is no body at all. */
  readonly body: string;
  /** The whole response, for a connection that is kept alive. */
  readonly whole: string;
}

export type RenderResponse = (requestId: string) => RawResponse;

export function rawResponse(head: ResponseHead, requestId: string, body: string): RawResponse {
  return { head, requestId, body, whole: upToRequestId(head, body) + requestId + lastLines() + body };
}

/** Renders a body that is sent many times. Everything but the request id is joined once a second. */
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

/** Disconnect a client that pipelines requests and leaves more than this unread. */
const MAX_UNREAD = 1024 * 1024;

/**
 * Writes the response together with the others of this event-loop iteration. Batching avoids one wake-up of the client per
 * response, which costs more than the write. A response queued behind another on its connection, or the last one on it, goes
 * through node:http's documented API.
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

/** Marks the response as sent in node:http; see docs/decisions/0008-raw-responses.md. */
function markSent(response: ServerResponse & Sent, { head, whole }: RawResponse): void {
  response.statusCode = head.status;
  response._header = whole;
  response._headerSent = true;
  response.end();
}

/** node:http's undocumented fields for what it has sent of a response. */
interface Sent {
  _header?: string;
  _headerSent?: boolean;
}

let datedLines: string | undefined;

/** Returns the end of every head, after the request id. Like node:http's own, the date is rendered once a second. */
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

/** node:http's parser of a connection, and its callback for each request. Undocumented fields. */
interface Parsed {
  readonly parser?: { onIncoming?: unknown } | null;
}

/** Makes the parser skip the remaining bytes, as after a protocol upgrade. */
const leaveRest = () => 2;

/**
 * Closes a connection and stops parsing what was already read from it: up to 64 KiB, which can hold a thousand requests. The
 * fields are undocumented; without them those requests are parsed and dropped one by one.
 */
export function cutConnection(socket: Socket & Parsed): void {
  if (socket.parser) socket.parser.onIncoming = leaveRest;
  socket.destroy();
}

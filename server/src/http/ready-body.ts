import { hash } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Route } from '@gatehouse/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mount } from './mount.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** A body made ready once and sent many times. */
export interface ReadyBody {
  readonly bytes: Buffer;
  readonly etag: string;
  /** All of an answer that does not differ from request to request. */
  readonly answer: Prepared;
  readonly unchanged: Prepared;
}

interface Prepared {
  readonly status: number;
  /** Names and values in turns. */
  readonly headers: readonly string[];
  /** The status line and those headers, as they go over the wire. */
  readonly start: string;
  /** One character for each byte: head and body then leave in one write. */
  readonly body: string;
}

export function readyBody(text: string): ReadyBody {
  const bytes = Buffer.from(text);
  const etag = `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"`;
  const headers = ['x-content-type-options', 'nosniff', 'etag', etag, 'cache-control', 'no-cache'];
  const typed = [...headers, 'content-type', JSON_TYPE, 'content-length', String(bytes.length)];
  return {
    bytes,
    etag,
    answer: prepared(200, typed, bytes.toString('latin1')),
    unchanged: prepared(304, headers, ''),
  };
}

function prepared(status: number, headers: readonly string[], body: string): Prepared {
  const lines = headers.map((part, index) => (index % 2 === 0 ? `${part}: ` : `${part}\r\n`));
  return { status, headers, body, start: `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}` };
}

/** What the gate hands out itself, by path: the same for every caller, so the router has nothing to add. */
export type ReadyAnswers = Map<string | undefined, () => ReadyBody>;

declare module 'fastify' {
  interface FastifyInstance {
    readyAnswers: ReadyAnswers;
  }
}

/** Puts an open route on the air whose answer is always ready. The router has it too, for what the gate does not take. */
export function mountReady<R extends Route & { open: true }>(
  app: FastifyInstance,
  route: R,
  body: () => ReadyBody,
): void {
  app.readyAnswers.set(route.path, body);
  mount(app, route, ({ request, reply }) => sendReady(request, reply, body()));
}

/** Hands it out past the router, with the same headers. */
export function handOut(request: IncomingMessage, response: ServerResponse, ready: ReadyBody): void {
  const { visit, url, headers } = request;
  visit.route = url;
  const answer = holds(headers['if-none-match'], ready.etag) ? ready.unchanged : ready.answer;
  if (response.shouldKeepAlive) sendPrepared(response, answer, visit.id);
  else
    response
      .writeHead(answer.status, ['x-request-id', visit.id, ...answer.headers])
      .end(answer.body, 'latin1');
}

/**
 * Past the place where node:http puts the head together and checks it, a tenth of the fastest routes; see
 * docs/decisions/0008-ready-answers.md.
 */
function sendPrepared(response: ServerResponse, { status, start, body }: Prepared, id: string): void {
  response.statusCode = status;
  (response as ServerResponse & { _header: string })._header =
    `${start}x-request-id: ${id}\r\nDate: ${dateText()}\r\nConnection: keep-alive\r\n\r\n${body}`;
  response.end();
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

/** Sends it, or only says that the caller has it already. */
export function sendReady(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag }: ReadyBody,
  type = JSON_TYPE,
): FastifyReply {
  reply.header('etag', etag).header('cache-control', 'no-cache');
  if (holds(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.header('content-type', type).send(bytes);
}

function holds(presented: string | undefined, etag: string): boolean {
  if (presented === undefined) return false;
  if (presented === etag || presented === '*') return true;
  return presented.split(',').some((each) => each.trim().replace(/^W\//, '') === etag);
}

import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Route } from '@gatehouse/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mount } from './mount.ts';
import {
  JSON_TYPE,
  oneCharacterPerByte,
  type PreparedHead,
  prepareHead,
  sendTogether,
  wordAnswer,
} from './prepared-answer.ts';

/** A body made ready once and sent many times. */
export interface ReadyBody {
  readonly bytes: Buffer;
  readonly etag: string;
  /** The body again, as it goes over the wire. */
  readonly text: string;
  readonly head: PreparedHead;
  readonly unchanged: PreparedHead;
}

export function readyBody(text: string): ReadyBody {
  const bytes = Buffer.from(text);
  const etag = `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"`;
  const headers = ['x-content-type-options', 'nosniff', 'etag', etag, 'cache-control', 'no-cache'];
  return {
    bytes,
    etag,
    text: oneCharacterPerByte(text),
    head: prepareHead(200, [...headers, 'content-type', JSON_TYPE]),
    unchanged: prepareHead(304, headers),
  };
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
  const answer = holds(headers['if-none-match'], ready.etag)
    ? wordAnswer(ready.unchanged, visit.id, '')
    : wordAnswer(ready.head, visit.id, ready.text);
  sendTogether(response, answer);
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

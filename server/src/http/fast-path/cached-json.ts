import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Route } from '@gatehouse/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mount } from '../mount.ts';
import {
  JSON_TYPE,
  latin1OfUtf8,
  type ResponseHead,
  rawResponse,
  responseHead,
  sendBatched,
} from './raw-response.ts';

/** A body made ready once and sent many times. */
export interface CachedJson {
  readonly bytes: Buffer;
  readonly etag: string;
  /** The body again, as it goes over the wire. */
  readonly text: string;
  readonly head: ResponseHead;
  readonly unchanged: ResponseHead;
}

export function cachedJson(text: string): CachedJson {
  const bytes = Buffer.from(text);
  const etag = `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"`;
  const headers = ['x-content-type-options', 'nosniff', 'etag', etag, 'cache-control', 'no-cache'];
  return {
    bytes,
    etag,
    text: latin1OfUtf8(text),
    head: responseHead(200, [...headers, 'content-type', JSON_TYPE]),
    unchanged: responseHead(304, headers),
  };
}

/** What the gate hands out itself, by path: the same for every caller, so the router has nothing to add. */
export type CachedJsonRoutes = Map<string | undefined, () => CachedJson>;

declare module 'fastify' {
  interface FastifyInstance {
    cachedJsonRoutes: CachedJsonRoutes;
  }
}

/** Puts an open route on the air whose answer is always ready. The router has it too, for what the gate does not take. */
export function mountCachedJson<R extends Route & { auth: 'none' }>(
  app: FastifyInstance,
  route: R,
  body: () => CachedJson,
): void {
  app.cachedJsonRoutes.set(route.path, body);
  mount(app, route, ({ request, reply }) => sendCachedJson(request, reply, body()));
}

/** Hands it out past the router, with the same headers. */
export function serveCachedJson(request: IncomingMessage, response: ServerResponse, ready: CachedJson): void {
  const { context, url, headers } = request;
  context.route = url;
  const answer = holds(headers['if-none-match'], ready.etag)
    ? rawResponse(ready.unchanged, context.id, '')
    : rawResponse(ready.head, context.id, ready.text);
  sendBatched(response, answer);
}

/** Sends it, or only says that the caller has it already. */
export function sendCachedJson(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag }: CachedJson,
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

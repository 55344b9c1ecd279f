import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

const JSON_TYPE = 'application/json; charset=utf-8';

/** A body made ready once and sent many times. */
export interface ReadyBody {
  readonly bytes: Buffer;
  readonly etag: string;
}

export function readyBody(text: string): ReadyBody {
  const bytes = Buffer.from(text);
  return { bytes, etag: `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"` };
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

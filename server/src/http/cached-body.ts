import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { JSON_TYPE } from './headers.ts';

/** A response body rendered once and sent many times. A caller that has it already gets a 304. */
export interface CachedBody {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly type: string;
}

export function cachedBody(text: string, type = JSON_TYPE): CachedBody {
  const bytes = Buffer.from(text);
  return { bytes, etag: `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"`, type };
}

export function isCachedBody(result: unknown): result is CachedBody {
  return typeof result === 'object' && result !== null && 'etag' in result && 'bytes' in result;
}

/** Reports whether the caller already has this body. */
export function isFresh({ headers }: Pick<IncomingMessage, 'headers'>, { etag }: CachedBody): boolean {
  const presented = headers['if-none-match'];
  if (presented === undefined) return false;
  if (presented === etag || presented === '*') return true;
  return presented.split(',').some((each) => each.trim().replace(/^W\//, '') === etag);
}

import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import { fieldsToRead, parseUrlEncoded } from './text-fields.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The raw body, on routes whose callers may sign it. */
    signedBody: Buffer | undefined;
  }
  interface FastifyContextConfig {
    signed?: boolean;
  }
}

export const BODY_LIMIT = 64 * 1024;

/** Accepts JSON everywhere, and forms and files on routes that declare them. Any other type is a 415. */
export function addBodyParsers(app: FastifyInstance): void {
  app.decorateRequest('signedBody', undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, counted(parseJson));
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    counted((bytes, request) => {
      const { form, mounted } = request.routeOptions.config;
      if (!form) throw new Refusal('unsupported_media_type');
      const only = mounted?.route.body && fieldsToRead(mounted.route, mounted.route.body);
      return parseUrlEncoded(textOf(bytes), { only });
    }),
  );
  app.addContentTypeParser(/^image\//i, { parseAs: 'buffer' }, counted(uploadOf));
}

type Parse = (bytes: Buffer, request: FastifyRequest) => unknown;

/** Parses a body once its route has counted it, if the route counts bodies. */
function counted(parse: Parse) {
  return (request: FastifyRequest, body: unknown, done: (error: Error | null, body?: unknown) => void) => {
    const settle = () => {
      try {
        done(null, parse(bytesOf(request, body as Buffer), request));
      } catch (error) {
        done(error as Error);
      }
    };
    request.raw.context.bodyBytes = (body as Buffer).length;
    const counting = request.routeOptions.config.mounted?.count?.(request.raw.context);
    if (counting) counting.then(settle, done);
    else settle();
  };
}

/** A file as it was sent. */
export interface Upload {
  readonly type: string;
  readonly content: Buffer;
}

function uploadOf(content: Buffer, { headers, routeOptions }: FastifyRequest): Upload {
  const type = mediaTypeOf(headers['content-type']);
  if (!routeOptions.config.mounted?.route.upload?.includes(type)) throw new Refusal('unsupported_media_type');
  return { type, content };
}

const mediaTypeOf = (header = '') => (header.split(';')[0] ?? '').trim().toLowerCase();

function bytesOf(request: FastifyRequest, body: Buffer): Buffer {
  if (request.routeOptions.config.signed) request.signedBody = body;
  const encoding = request.headers['content-encoding'] ?? 'identity';
  const charset = /charset="?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  if (encoding !== 'identity' || !/^utf-?8$/i.test(charset)) throw new Refusal('unsupported_media_type');
  return body;
}

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Refusal('invalid_request', { variant: 'text' });
  return bytes.toString('utf8');
}

/** Escapes for what UTF-8 cannot encode (lone surrogates) and for NUL. */
const SUSPICIOUS_ESCAPE = /\\u(0000|d[89a-f])/i;

/** Returns undefined for no bytes: many clients name the type of every request, also of one without a body. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const text = textOf(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal('invalid_request', { variant: 'json' });
  }
  if (SUSPICIOUS_ESCAPE.test(text)) refuseIllFormed(value);
  return value;
}

/**
 * Refuses NUL and lone surrogates, which the database engines store differently. Iterative, because the caller chooses the
 * nesting depth.
 */
function refuseIllFormed(root: unknown): void {
  const waiting: { field: string; value: unknown }[] = [{ field: '', value: root }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { field, value } = next;
    if (typeof value === 'string' && (!value.isWellFormed() || value.includes('\0'))) {
      throw new Refusal('invalid_request', {
        variant: 'text',
        errors: [{ field: field || 'body', message: 'wellformed' }],
      });
    }
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        waiting.push({ field: field === '' ? key : `${field}.${key}`, value: inner });
      }
    }
  }
}

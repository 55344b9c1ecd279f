import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AdminProblem, refusals } from '@gatehouse/contract';
import type { FieldProblem, Refusal } from '../refusal.ts';
import { commonHeaders } from './headers.ts';
import { hasBody } from './request-context.ts';
import { fill, type Language, languages, pickLanguage } from './texts/index.ts';
import type { Texts } from './texts/texts.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** A refusal rendered in the caller's language. */
export interface RenderedProblem {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: AdminProblem;
}

export function renderProblem(refusal: Refusal, requestId: string, language: Language): RenderedProblem {
  const { code, details } = refusal;
  const texts = languages[language];
  const status = refusals[code];
  const [title, plain] = texts.refusals[code];
  const detail = details.variant ? (texts.variants[`${code}.${details.variant}`] ?? plain) : plain;
  const params = { seconds: details.retryAfter ?? 0, ...details.params };

  const headers: Record<string, string> = {
    'content-type': PROBLEM_TYPE,
    'content-language': language,
    'cache-control': 'no-store',
  };
  if (details.retryAfter !== undefined)
    headers['retry-after'] = String(Math.max(1, Math.ceil(details.retryAfter)));
  if (details.allow) headers.allow = details.allow.join(', ');
  if (code === 'invalid_token') headers['www-authenticate'] = 'Bearer';

  return {
    status,
    headers,
    body: {
      type: `urn:gatehouse:problem:${code}`,
      title,
      status,
      detail: fill(detail, params),
      code,
      request_id: requestId,
      ...(details.errors && { errors: details.errors.map((error) => renderField(error, texts)) }),
      ...details.extra,
    },
  };
}

/** Renders a refusal as a whole response, for the router, for node:http and for a bare socket. */
export function problemResponse(refusal: Refusal, requestId: string, acceptLanguage: string | undefined) {
  const { status, headers, body } = renderProblem(refusal, requestId, pickLanguage(acceptLanguage));
  const text = JSON.stringify(body);
  const length = { 'content-length': String(Buffer.byteLength(text)) };
  return { status, headers: { ...headers, ...length, ...commonHeaders(requestId) }, text };
}

/** Sends a problem without the router. */
export function sendProblem(response: ServerResponse, request: IncomingMessage, refusal: Refusal): void {
  const { context, headers: asked } = request;
  const { status, headers, text } = problemResponse(refusal, context.id, asked['accept-language']);
  response.writeHead(status, {
    ...headers,
    // Close the connection instead of reading the rest of the refused body.
    ...(hasBody(request) && !request.complete && { connection: 'close' }),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}

/** Upper bound for the repeated name of a field, which may be one that the caller made up. */
const MAX_FIELD_LENGTH = 64;

const shortened = (field: string) =>
  field.length > MAX_FIELD_LENGTH ? `${field.slice(0, MAX_FIELD_LENGTH).toWellFormed()}…` : field;

function renderField({ field, message, params }: FieldProblem, texts: Texts) {
  const code = message as keyof Texts['refusals'];
  const text =
    texts.fields[message] ??
    texts.variants[message] ??
    texts.refusals[code]?.[1] ??
    texts.fields.unfit ??
    message;
  return { field: shortened(field), message: fill(text, params) };
}

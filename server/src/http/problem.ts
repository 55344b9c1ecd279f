import { type AdminProblem, refusals } from '@gatehouse/contract';
import type { FieldProblem, Refusal } from '../refusal.ts';
import { fill, type Language, languages } from './texts/index.ts';
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

function renderField({ field, message, params }: FieldProblem, texts: Texts) {
  const code = message as keyof Texts['refusals'];
  const text =
    texts.fields[message] ??
    texts.variants[message] ??
    texts.refusals[code]?.[1] ??
    texts.fields.unfit ??
    message;
  return { field, message: fill(text, params) };
}

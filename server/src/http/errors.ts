import type { RefusalCode } from '@gatehouse/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../logging/log.ts';
import { Refusal } from '../refusal.ts';
import { renderProblem } from './problem.ts';
import { pathOf } from './request-context.ts';
import { pickLanguage } from './texts/index.ts';

/** When to come back after an outage of the database: it is usually a restart. */
const OUTAGE_RETRY_S = 5;

/** Finds out what a failure is to the caller: refusals as they are, surprises hidden and logged. */
export type RefusalOf = (error: unknown, requestId: string) => Refusal;

export interface FailureParts {
  /** What an error means that comes from the database being away, rather than from us being wrong. */
  readonly outageOf: (error: unknown) => 'nothing changed' | 'uncertain' | undefined;
  readonly log: Pick<Log, 'warn' | 'error'>;
}

export function readFailures({ outageOf, log }: FailureParts): RefusalOf {
  return (error, requestId) => {
    if (error instanceof Refusal) return error;
    const outage = outageOf(error);
    if (outage) {
      log.warn({ err: error, request_id: requestId, outage }, 'the database is away');
      const variant = outage === 'uncertain' ? { variant: outage } : {};
      return new Refusal('unavailable', { ...variant, retryAfter: OUTAGE_RETRY_S });
    }
    const translated = frameworkRefusal(error as FastifyError);
    if (translated) return translated;
    log.error({ err: error, request_id: requestId }, 'unexpected error');
    return new Refusal('internal');
  };
}

export interface RenderParts {
  readonly refusalOf: RefusalOf;
  /** Answers a person's wrong turn with a page; whoever is no person gets the problem. */
  readonly lost: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined;
}

/** One layer renders every failure of a route, and every path that is none. */
export function renderErrors(app: FastifyInstance, { refusalOf, lost }: RenderParts): void {
  const paths = declaredPaths(app);
  app.setErrorHandler((error, request, reply) => reply.problem(refusalOf(error, request.id)));
  const turnAway = (request: FastifyRequest, reply: FastifyReply) => {
    const allow = paths.methodsOf(pathOf(request.raw));
    if (allow.length > 0 && !allow.includes(request.method)) {
      return reply.problem(new Refusal('method_not_allowed', { allow }));
    }
    return lost(request, reply) ?? reply.problem(new Refusal('not_found'));
  };
  app.setNotFoundHandler(turnAway);
  // Before its body is read: whatever is wrong with that, there is nobody here to take it.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) turnAway(request, reply);
    else done();
  });
}

declare module 'fastify' {
  interface FastifyReply {
    problem(refusal: Refusal): FastifyReply;
  }
}

/** Lets any handler answer with a problem; each is counted by its code. */
export function decorateProblems(app: FastifyInstance, count: (code: RefusalCode) => void): void {
  app.decorateReply('problem', function problem(this: FastifyReply, refusal: Refusal) {
    count(refusal.code);
    const { raw, headers } = this.request;
    const rendered = renderProblem(refusal, raw.context.id, pickLanguage(headers['accept-language']));
    return this.code(rendered.status).headers(rendered.headers).send(JSON.stringify(rendered.body));
  });
}

/** Fastify's own complaints, in our words. Undefined for what is not the caller's fault. */
export function frameworkRefusal(error: FastifyError): Refusal | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refusal('payload_too_large');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal('unsupported_media_type');
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_ASYNC_CONSTRAINT':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Refusal('invalid_request', { variant: 'url' });
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'ECONNRESET':
      return new Refusal('invalid_request', { variant: 'http' });
    default:
      return error.code?.startsWith('FST_') && (error.statusCode ?? 500) < 500
        ? new Refusal('invalid_request')
        : undefined;
  }
}

/** Knows which methods a path takes, for 405 and its Allow. */
function declaredPaths(app: FastifyInstance): { methodsOf(path: string): string[] } {
  const declared: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const escaped = url.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+');
    declared.push({ pattern: new RegExp(`^${escaped}$`), methods: [method].flat() });
  });
  return {
    methodsOf: (path) => [
      ...new Set(declared.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods)),
    ],
  };
}

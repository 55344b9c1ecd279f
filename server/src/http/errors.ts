import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../logging/log.ts';
import { Refusal } from '../refusal.ts';
import { problemResponse } from './problem.ts';
import { pathOf, type RequestContext } from './request-context.ts';

/** Retry-After for a database outage, which is usually a restart. */
const OUTAGE_RETRY_S = 5;

/** Maps an error to the refusal sent to the caller. Unexpected errors are logged and hidden. */
export type RefusalOf = (error: unknown, requestId: string) => Refusal;

export interface FailureDeps {
  /** Distinguishes a database outage from our own errors. */
  readonly outageOf: (error: unknown) => 'nothing changed' | 'uncertain' | undefined;
  readonly log: Pick<Log, 'warn' | 'error'>;
}

export function createErrorMapper({ outageOf, log }: FailureDeps): RefusalOf {
  return (error, requestId) => {
    if (error instanceof Refusal) return error;
    const outage = outageOf(error);
    if (outage) {
      log.warn({ err: error, request_id: requestId, outage }, 'the database is unreachable');
      const variant = outage === 'uncertain' ? { variant: outage } : {};
      return new Refusal('unavailable', { ...variant, retryAfter: OUTAGE_RETRY_S });
    }
    const translated = frameworkRefusal(error as FastifyError);
    if (translated) return translated;
    log.error({ err: error, request_id: requestId }, 'unexpected error');
    return new Refusal('internal');
  };
}

export interface RenderDeps {
  readonly refusalOf: RefusalOf;
  /** Answers a browser's navigation with a page. Returns undefined for other requests, which get the problem. */
  readonly notFoundPage: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined;
}

/** Renders every failure of a route and every unknown path. */
export function renderErrors(app: FastifyInstance, { refusalOf, notFoundPage }: RenderDeps): void {
  const paths = declaredPaths(app);
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error, request.id);
    const isLargeFile =
      refusal.code === 'payload_too_large' && request.routeOptions.config.mounted?.route.upload;
    return reply.problem(isLargeFile ? new Refusal('file_refused', { variant: 'large' }) : refusal);
  });
  const handleNotFound = (request: FastifyRequest, reply: FastifyReply) => {
    const allow = paths.methodsOf(pathOf(request.raw));
    if (allow.length > 0 && !allow.includes(request.method)) {
      return reply.problem(new Refusal('method_not_allowed', { allow }));
    }
    return notFoundPage(request, reply) ?? reply.problem(new Refusal('not_found'));
  };
  app.setNotFoundHandler(handleNotFound);
  // Answer before reading the body: without a route its validity does not matter.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) handleNotFound(request, reply);
    else done();
  });
}

declare module 'fastify' {
  interface FastifyReply {
    problem(refusal: Refusal): FastifyReply;
  }
}

/** Adds `reply.problem` and counts each problem by its code. */
export function decorateProblems(
  app: FastifyInstance,
  count: (refusal: Refusal, context: RequestContext) => void,
): void {
  app.decorateReply('problem', function problem(this: FastifyReply, refusal: Refusal) {
    const { raw, headers } = this.request;
    count(refusal, raw.context);
    const problem = problemResponse(refusal, raw.context.id, headers['accept-language']);
    return this.code(problem.status).headers(problem.headers).send(problem.text);
  });
}

/** Maps Fastify's own errors to refusals. Returns undefined for errors that are not the caller's fault. */
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

/** Records the methods of each path, for 405 and its Allow header. */
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

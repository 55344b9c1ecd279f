import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import type { Tokens } from '../security/tokens.ts';

/** Who is asking, as the token says and the database confirms. */
export interface Identity {
  readonly playerId: number;
  readonly account: string;
}

/** Confirms a token's claims against the database: refuses one of an earlier version, of a banned or a vanished player. */
export type ConfirmIdentity = (claims: { playerId: number; version: number }) => Promise<Identity>;

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | undefined;
  }
  interface FastifyContextConfig {
    /** Needs no JWT. */
    open?: boolean;
    form?: boolean;
  }
}

/** Every route under /api that does not say it is open; what lies outside it is pages. */
function isGuarded({ is404, routeOptions }: FastifyRequest): boolean {
  return !is404 && routeOptions.config.open !== true && (routeOptions.url ?? '').startsWith('/api');
}

const BEARER = /^Bearer +([A-Za-z0-9_.-]+) *$/i;

/** The ONE hook that guards every route which does not declare itself open. */
export function guard(app: FastifyInstance, parts: { tokens: Tokens; confirm: ConfirmIdentity }): void {
  app.decorateRequest('identity', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isGuarded(request)) return done();
    identify(request).then(() => done(), done);
  });

  async function identify(request: FastifyRequest): Promise<void> {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    const claims = token === undefined ? undefined : parts.tokens.verify(token);
    if (!claims) throw new Refusal('invalid_token');
    request.identity = await parts.confirm(claims);
  }
}

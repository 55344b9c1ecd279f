import type { IncomingMessage } from 'node:http';
import type { Auth } from '@gatehouse/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import type { Tokens, VerifiedToken } from '../security/tokens.ts';
import { identifyOperator, type OperatorAuthentication, type OperatorIdentity } from './operator.ts';
import { pathOf } from './request-context.ts';

/** The player a token belongs to, as read from the database. */
export interface ConfirmedPlayer {
  readonly playerId: number;
  readonly account: string;
  readonly twoFactor: boolean;
}

/** The authenticated player: the token's claims, confirmed by the database. */
export interface Identity extends ConfirmedPlayer {
  /** Carries the player's current token version, even if the token is an earlier one that was kept. */
  readonly session: VerifiedToken;
}

/** Checks a token's claims against the database. Refuses tokens of an earlier version and of banned or deleted players. */
export type ConfirmIdentity = (
  token: Pick<VerifiedToken, 'id' | 'playerId' | 'version'>,
) => Promise<ConfirmedPlayer & { readonly tokenVersion: number }>;

export interface AuthenticationDeps {
  readonly tokens: Tokens;
  readonly confirm: ConfirmIdentity;
  readonly operators: OperatorAuthentication;
}

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | undefined;
    operator: OperatorIdentity | undefined;
  }
  interface FastifyContextConfig {
    /** Who may call the route; `player` if absent. */
    auth?: Auth;
    form?: boolean;
  }
}

/** Reports whether a route needs a login: every route under /api except those for anybody and for game servers. */
function isGuarded({ is404, routeOptions: { config, url = '' } }: FastifyRequest): boolean {
  return !is404 && config.auth !== 'none' && config.auth !== 'game_server' && url.startsWith('/api');
}

/** Confirm the session again after a body that took longer: its sender may have delayed it until the session was ended. */
const CONFIRM_AGAIN_AFTER_MS = 500;

const BEARER = /^Bearer +([A-Za-z0-9_.-]+) *$/i;

/** Returns the player of a request's token. */
export type IdentifyPlayer = (request: Pick<IncomingMessage, 'headers'>) => Promise<Identity>;

export function playerIdentifier({
  tokens,
  confirm,
}: Pick<AuthenticationDeps, 'tokens' | 'confirm'>): IdentifyPlayer {
  return async ({ headers }) => {
    const token = BEARER.exec(headers.authorization ?? '')?.[1];
    const session = token === undefined ? undefined : tokens.verify(token);
    if (session?.audience !== 'player') throw new Refusal('invalid_token');
    const { tokenVersion, ...player } = await confirm(session);
    return { ...player, session: { ...session, version: tokenVersion } };
  };
}

/** Installs the only hook that guards routes. It applies to every route whose `auth` is not `none` or `game_server`. */
export function guard(
  app: FastifyInstance,
  identifyPlayer: IdentifyPlayer,
  operators: OperatorAuthentication,
): void {
  app.decorateRequest('identity', undefined);
  app.decorateRequest('operator', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isGuarded(request)) return done();
    identify(request).then(() => done(), done);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    const isLate = performance.now() - request.raw.context.startedAt > CONFIRM_AGAIN_AFTER_MS;
    if (!isLate || !isGuarded(request)) return done();
    identify(request).then(() => done(), done);
  });

  async function identify(request: FastifyRequest): Promise<void> {
    const { auth, mounted } = request.routeOptions.config;
    if (auth === 'operator') {
      if (!mounted) throw new Refusal('invalid_token');
      request.operator = await identifyOperator(request, mounted.route, operators);
    } else request.identity = await identifyPlayer(request.raw);
  }
}

/** The console's pages and the operators' API. */
const CONSOLE = /^\/(?:console|api\/admin)(?:\/|$)/;

/** Answers 404 to console requests from addresses that are not allowed, including requests with a wrong method. */
export function restrictConsole(app: FastifyInstance, isAllowed: (address: string) => boolean): void {
  app.addHook('onRequest', (request, reply, done) => {
    // Prefer the route's own path: a URL can spell it in many ways.
    const path = request.is404 ? pathOf(request.raw) : (request.routeOptions.url ?? '');
    if (CONSOLE.test(path) && !isAllowed(request.raw.context.address))
      reply.problem(new Refusal('not_found'));
    else done();
  });
}

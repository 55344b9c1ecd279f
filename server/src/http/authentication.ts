import type { Auth } from '@gatehouse/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import type { Tokens, VerifiedToken } from '../security/tokens.ts';
import { identifyOperator, type OperatorAuthentication, type OperatorIdentity } from './operator.ts';

/** The player whose token it is, as the database knows them. */
export interface ConfirmedPlayer {
  readonly playerId: number;
  readonly account: string;
  /** Whether a second factor is on. */
  readonly twoFactor: boolean;
}

/** The authenticated player: the token's claims, confirmed by the database. */
export interface Identity extends ConfirmedPlayer {
  /** Of the player's present version, also where the token is an earlier one that was kept. */
  readonly session: VerifiedToken;
}

/** Confirms a token's claims against the database: refuses one of an earlier version, of a banned or a vanished player. */
export type ConfirmIdentity = (
  token: Pick<VerifiedToken, 'id' | 'playerId' | 'version'>,
) => Promise<ConfirmedPlayer & { readonly tokenVersion: number }>;

export interface AuthenticationParts {
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
    /** Who may call it; a route that does not say is a player's. */
    auth?: Auth;
    form?: boolean;
  }
}

/** Every route under /api but those for anybody and for game servers; what lies outside it is pages. */
function isGuarded({ is404, routeOptions: { config, url = '' } }: FastifyRequest): boolean {
  return !is404 && config.auth !== 'none' && config.auth !== 'game_server' && url.startsWith('/api');
}

const BEARER = /^Bearer +([A-Za-z0-9_.-]+) *$/i;

/** The ONE hook that guards every route, unless its `auth` says that anybody or a game server may call it. */
export function guard(app: FastifyInstance, parts: AuthenticationParts): void {
  app.decorateRequest('identity', undefined);
  app.decorateRequest('operator', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isGuarded(request)) return done();
    identify(request).then(() => done(), done);
  });

  async function identify(request: FastifyRequest): Promise<void> {
    const { auth, mounted } = request.routeOptions.config;
    if (auth === 'operator') {
      if (!mounted) throw new Refusal('invalid_token');
      request.operator = await identifyOperator(request, mounted.route, parts.operators);
      return;
    }
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    const session = token === undefined ? undefined : parts.tokens.verify(token);
    if (session?.audience !== 'player') throw new Refusal('invalid_token');
    const { tokenVersion, ...player } = await parts.confirm(session);
    request.identity = { ...player, session: { ...session, version: tokenVersion } };
  }
}

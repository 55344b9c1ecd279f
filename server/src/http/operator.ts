import type { Route } from '@gatehouse/contract';
import type { OperatorRole, Permission } from '@gatehouse/contract/admin';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import type { RequestContext } from './request-context.ts';

/** The operator or API key behind a request. */
export interface OperatorIdentity {
  readonly name: string;
  readonly role: OperatorRole;
  /** Null means all zones. */
  readonly zones: readonly number[] | null;
  readonly permissions: ReadonlySet<Permission>;
  readonly totp: boolean;
  /** The actor named in audit entries. */
  readonly actor: {
    readonly name: string;
    readonly via: 'console' | 'key';
    readonly ip: string;
    readonly requestId: string;
    readonly credential: { readonly session: string } | { readonly key: string };
  };
  /** The cookie's session; undefined for a key. */
  readonly session: { readonly operatorId: number; readonly tokenHash: string } | undefined;
}

/** The caller's credential: a session cookie, or a key as bearer token. */
export type OperatorCredential = { readonly cookie: string } | { readonly key: string };

export interface OperatorAuthentication {
  /** Returns undefined if the session or key is unknown or has ended. */
  readonly authenticate: (
    credential: OperatorCredential,
    context: RequestContext,
  ) => Promise<OperatorIdentity | undefined>;
  readonly publicUrl: string;
  /** Whether operators must set up two-factor login first. */
  readonly requireTotp: () => boolean;
}

export const OPERATOR_COOKIE = 'gatehouse_operator';
const KEY = /^Bearer +(ghk_[\w-]{1,128}) *$/i;

/** Authenticates the operator and refuses what the route's permission does not allow. */
export async function identifyOperator(
  request: FastifyRequest,
  { permission, method }: Pick<Route, 'permission' | 'method'>,
  { authenticate, publicUrl, requireTotp }: OperatorAuthentication,
): Promise<OperatorIdentity> {
  const credential = credentialOf(request);
  const operator = credential && (await authenticate(credential, request.raw.context));
  if (!operator) throw new Refusal('invalid_token', { variant: 'operator' });
  if (operator.session && method !== 'GET' && !isOwnOrigin(request, publicUrl))
    throw new Refusal('caller_not_allowed', { variant: 'origin' });
  if (permission === null || permission === undefined) return operator;
  if (operator.session && !operator.totp && requireTotp()) throw new Refusal('totp_required');
  if (!operator.permissions.has(permission)) throw new Refusal('permission_denied');
  return operator;
}

function credentialOf({ headers }: FastifyRequest): OperatorCredential | undefined {
  const key = KEY.exec(headers.authorization ?? '')?.[1];
  if (key !== undefined) return { key };
  const cookie = cookieOf(headers.cookie ?? '');
  return cookie === undefined ? undefined : { cookie };
}

function cookieOf(header: string): string | undefined {
  const prefix = `${OPERATOR_COOKIE}=`;
  const pair = header.split(';').find((each) => each.trimStart().startsWith(prefix));
  return pair?.trim().slice(prefix.length);
}

/** Prevents CSRF: another site can make the browser send the cookie, but cannot forge the origin. */
function isOwnOrigin({ headers }: FastifyRequest, publicUrl: string): boolean {
  if (headers.origin === undefined) return headers['sec-fetch-site'] === 'same-origin';
  const origin = URL.parse(headers.origin);
  return origin !== null && (origin.origin === URL.parse(publicUrl)?.origin || origin.host === headers.host);
}

/** Returns the zones to search: the requested one, which must be the operator's, or all of the operator's. */
export function zonesToSearch(
  operator: Pick<OperatorIdentity, 'zones'>,
  serverId: number | undefined,
): readonly number[] | undefined {
  if (serverId === undefined) return operator.zones ?? undefined;
  refuseOtherZone(operator, serverId);
  return [serverId];
}

/** Refuses a zone outside the operator's scope as if it did not exist. */
export function refuseOtherZone({ zones }: Pick<OperatorIdentity, 'zones'>, serverId: number): void {
  if (zones !== null && !zones.includes(serverId)) throw new Refusal('server_not_found');
}

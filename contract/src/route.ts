import type { Static, TSchema } from 'typebox';
import type { AuditAction } from './admin/audit-action.ts';
import type { Permission } from './admin/permission.ts';
import type { OperatorRefusalCode } from './admin/refusals.ts';
import type { RefusalCode } from './refusals.ts';

export type Tag =
  | 'accounts'
  | 'own account'
  | 'zones'
  | 'game servers'
  | 'withdrawals'
  | 'forum login'
  | 'site'
  | 'operation'
  | AdminTag;

/** The parts of the operators' document. */
export type AdminTag =
  | 'session'
  | 'operators'
  | 'dashboard'
  | 'players'
  | 'admin zones'
  | 'admin withdrawals'
  | 'chat'
  | 'promoters'
  | 'controls'
  | 'announcements'
  | 'audit'
  | 'system';

type ChangingMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Anybody; a player with a JWT; a game server, which the route itself admits by address or signature. */
interface PublicAccess {
  readonly method: 'GET' | ChangingMethod;
  readonly auth: 'none' | 'player' | 'game_server';
  readonly permission?: never;
  readonly audit?: never;
}

/** Null: whoever is logged in, also before two-factor login is set up. */
type RoutePermission = Permission | null;

interface OperatorReads {
  readonly method: 'GET';
  readonly auth: 'operator';
  readonly permission: RoutePermission;
  /** With `Accept: text/csv` the list is handed out as a file, which is recorded. */
  readonly audit?: 'export';
}

interface OperatorChanges {
  readonly method: ChangingMethod;
  readonly auth: 'operator';
  readonly permission: RoutePermission;
  /** Null says that it changes nothing which is kept, as a connection test does. */
  readonly audit: AuditAction | null;
}

/** Called so often that it may be answered past the router; the router alone knows of JWTs and sessions. */
type FastPath = { readonly fastPath?: never } | { readonly fastPath: true; auth: 'none' | 'game_server' };

/** Who may call a route. */
export type Auth = Route['auth'];

/** What a route is: declared once, read by the server, the OpenAPI document and the web client. */
export type Route = Declaration & (PublicAccess | OperatorReads | OperatorChanges) & FastPath;

interface Declaration {
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  /** The query comes from links and forms of other sites: what cannot be decoded in it is no reason to refuse. */
  readonly foreignQuery?: true;
  /** Fields of a query or form that it does not name are ignored: old callers send more. JSON stays strict. */
  readonly ignoreUnknownText?: true;
  readonly headers?: TSchema;
  readonly body?: TSchema;
  /** Also takes application/x-www-form-urlencoded, because old game code sends that. */
  readonly form?: true;
  /** Callers may sign it, so the body's bytes are kept as they came. */
  readonly signed?: true;
  readonly bodyLimit?: number;
  /** The answer carries or judges a credential: `Cache-Control: no-store`. */
  readonly secret?: true;
  readonly answers: { readonly [status: number]: Answer };
  readonly refusals: readonly (RefusalCode | OperatorRefusalCode)[];
}

export interface Answer {
  readonly description: string;
  readonly schema?: TSchema;
  /** When it is not JSON. */
  readonly mediaType?: string;
}

export function route<const R extends Route>(declaration: R): R {
  return declaration;
}

type Part<R, K extends string> = R extends { readonly [_ in K]: infer S extends TSchema }
  ? Static<S>
  : undefined;

export type BodyOf<R extends Route> = Part<R, 'body'>;
export type QueryOf<R extends Route> = Part<R, 'query'>;
export type ParamsOf<R extends Route> = Part<R, 'params'>;
export type HeadersOf<R extends Route> = Part<R, 'headers'>;

/** The union of the bodies a route may answer with. */
export type AnswerOf<R extends Route> = {
  [S in keyof R['answers']]: R['answers'][S] extends { readonly schema: infer B extends TSchema }
    ? Static<B>
    : never;
}[keyof R['answers']];

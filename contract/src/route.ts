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

/** Sections of the operators' document. */
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
  | 'admin site'
  | 'audit'
  | 'webhooks'
  | 'system';

type ChangingMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Anonymous; a player with a JWT; or a game server, which the route admits by address or signature. */
interface PublicAccess {
  readonly method: 'GET' | ChangingMethod;
  readonly auth: 'none' | 'player' | 'game_server';
  readonly permission?: never;
  readonly audit?: never;
}

/** Null admits every logged-in operator, even before two-factor login is set up. */
type RoutePermission = Permission | null;

interface OperatorReads {
  readonly method: 'GET';
  readonly auth: 'operator';
  readonly permission: RoutePermission;
  /** With `Accept: text/csv` the list is exported as a file, which is audited. */
  readonly audit?: 'export';
}

interface OperatorChanges {
  readonly method: ChangingMethod;
  readonly auth: 'operator';
  readonly permission: RoutePermission;
  /** Null if it changes nothing persistent, such as a connection test. */
  readonly audit: AuditAction | null;
}

/** Marks a hot route that may be answered without the router. Only the router handles operators' sessions. */
type FastPath = { readonly fastPath?: never } | { readonly fastPath: true; auth: PublicAccess['auth'] };

export type Auth = Route['auth'];

/** A route, declared once for the server, the OpenAPI document and the web client. */
export type Route = Declaration & (PublicAccess | OperatorReads | OperatorChanges) & FastPath;

interface Declaration {
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  /** The query comes from links and forms of other sites: text that cannot be decoded is accepted. */
  readonly foreignQuery?: true;
  /** Ignores unknown fields of a query or form, and an optional number that is none: old callers send more. JSON stays strict. */
  readonly ignoreUnknownText?: true;
  readonly headers?: TSchema;
  readonly body?: TSchema;
  /** Also accepts application/x-www-form-urlencoded, which old game code sends. */
  readonly form?: true;
  /** Callers may sign the body, so its raw bytes are kept. */
  readonly signed?: true;
  readonly bodyLimit?: number;
  /** The body is a file of one of these media types, passed to the handler as bytes. */
  readonly upload?: readonly string[];
  /** The answer carries or checks a credential, or is private: `Cache-Control: no-store`. */
  readonly secret?: true;
  readonly answers: { readonly [status: number]: Answer };
  readonly refusals: readonly (RefusalCode | OperatorRefusalCode)[];
}

export interface Answer {
  readonly description: string;
  readonly schema?: TSchema;
  /** Set if the answer is not JSON. */
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

/** The union of a route's possible answer bodies. */
export type AnswerOf<R extends Route> = {
  [S in keyof R['answers']]: R['answers'][S] extends { readonly schema: infer B extends TSchema }
    ? Static<B>
    : never;
}[keyof R['answers']];

import type { Static, TSchema } from 'typebox';
import type { RefusalCode } from './refusals.ts';

export type Tag =
  | 'accounts'
  | 'zones'
  | 'game servers'
  | 'withdrawals'
  | 'forum login'
  | 'site'
  | 'operation';

/** What a route is: declared once, read by the server, the OpenAPI document and the web client. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  /** Needs no JWT. A route that does not say so is protected. */
  readonly open?: true;
  readonly params?: TSchema;
  readonly query?: TSchema;
  /** The query comes from links and forms of others: words in it that cannot be read are no reason to refuse. */
  readonly foreignQuery?: true;
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
  readonly refusals: readonly RefusalCode[];
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

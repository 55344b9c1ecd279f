import { type PlayerRoutes, playerRoutes, type Session } from './contract/player.ts';
import { GatehouseError } from './error.ts';
import { type CallOptions, place, type RouteRow, run } from './request.ts';
import { memorySession, type SessionStore, type SignedIn } from './session.ts';

export type * from './contract/player.ts';
export { type ErrorCode, type ErrorDetails, GatehouseError } from './error.ts';
export type { CallOptions } from './request.ts';
export { memorySession, type SessionStore, type SignedIn, storedSession } from './session.ts';

export interface ClientOptions {
  /** Where the service is; by default, where the page came from. */
  readonly url?: string;
  /** Language of the service's texts: `zh-CN` or `en`. */
  readonly language?: () => string;
  /** Milliseconds until a call fails with `timeout`; 30,000 by default. */
  readonly timeout?: number;
  /** Where the session is kept; in memory by default. */
  readonly session?: SessionStore;
  /** Called when a session begins, and when it ends. */
  readonly onSession?: (session: Session | null, reason?: GatehouseError) => void;
}

export interface PlayerCallOptions extends CallOptions {
  /** Of a withdrawal: repeating a call with the same key returns the same answer and never deducts twice. */
  readonly idempotencyKey?: string;
}

/** One function per route. Routes to which browsers navigate have a `url` only. */
export type PlayerCalls = {
  [N in keyof PlayerRoutes as PlayerRoutes[N]['answer'] extends never
    ? never
    : N]: undefined extends PlayerRoutes[N]['input']
    ? (input?: PlayerRoutes[N]['input'], options?: PlayerCallOptions) => Promise<PlayerRoutes[N]['answer']>
    : (input: PlayerRoutes[N]['input'], options?: PlayerCallOptions) => Promise<PlayerRoutes[N]['answer']>;
};

/** What a call returns. */
export type AnswerOf<N extends keyof PlayerRoutes> = PlayerRoutes[N]['answer'];
/** What a call takes. */
export type InputOf<N extends keyof PlayerRoutes> = NonNullable<PlayerRoutes[N]['input']>;

export type Client = PlayerCalls & {
  /** Who is signed in. */
  readonly session: SignedIn | null;
  /** Returns the URL of a route that is read by GET, for a link or a frame. */
  url<N extends keyof PlayerRoutes>(name: N, input?: PlayerRoutes[N]['input']): string;
};

type Row = RouteRow & { readonly player?: true; readonly link?: true; readonly startsSession?: true };

/** Creates a client of the players' API with one function per route. */
export function createClient(options: ClientOptions = {}): Client {
  const { url = '', language, timeout, session = memorySession(), onSession } = options;
  const base = url.replace(/\/+$/, '');
  const setSession = (to: Session | null, reason?: GatehouseError) => {
    session.set(to, reason);
    onSession?.(to, reason);
  };

  async function call(row: Row, input: object | undefined, given: PlayerCallOptions = {}) {
    const { path, body } = place(row, { ...input });
    const token = row.player && session.get()?.token;
    const headers = {
      ...(language && { 'accept-language': language() }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(given.idempotencyKey !== undefined && { 'idempotency-key': given.idempotencyKey }),
    };
    // A late answer to the token of an earlier session must not end a later one.
    const isCurrent = () => row.player && token === session.get()?.token;
    try {
      const request = { method: row.method, url: base + path, headers, body, text: row.text };
      const answer = await run(request, { timeout, ...given }, solved);
      if (row.startsSession) setSession(answer as Session);
      if (row === playerRoutes.logout && isCurrent()) setSession(null);
      return answer;
    } catch (error) {
      if (endsSession(error) && isCurrent()) setSession(null, error);
      throw error;
    }
  }

  const rows: [string, Row][] = Object.entries(playerRoutes);
  const calls = rows
    .filter(([, row]) => !row.link)
    .map(([name, row]) => [name, (input?: object, given?: PlayerCallOptions) => call(row, input, given)]);
  return Object.defineProperty(
    {
      ...Object.fromEntries(calls),
      url: (name: keyof PlayerRoutes, input?: object) => base + place(playerRoutes[name], { ...input }).path,
    },
    'session',
    { get: () => session.get() },
  );
}

function endsSession(error: unknown): error is GatehouseError {
  return (
    error instanceof GatehouseError && (error.code === 'invalid_token' || error.code === 'account_suspended')
  );
}

/** Solves the proof of work that the service demands under load. The solver is loaded only then. */
async function solved({ problem }: GatehouseError, signal: AbortSignal) {
  const challenge = problem?.challenge;
  if (typeof challenge !== 'object') return null;
  const { solveChallenge } = await import('./challenge.ts');
  const solution = await solveChallenge(challenge, signal);
  return solution === null ? null : { 'x-challenge-solution': solution };
}

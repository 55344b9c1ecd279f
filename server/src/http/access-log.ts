import type { IncomingMessage } from 'node:http';
import { type Logger, symbols } from 'pino';
import type { NameAccount, NameAddress } from './log-names.ts';
import { pathOf, queryOf, type RequestContext } from './request-context.ts';
import { parseUrlEncoded } from './text-fields.ts';

/** The only query values that are logged; of all others just the name is. */
const SAFE_PARAMETERS = new Set(['server_id', 'agent_id', 'provider', 'limit']);

/** Of a path, and of a query. */
const MAX_LOGGED = 512;

/** How a request ended. */
interface Outcome {
  readonly status: number;
  readonly ms: number;
  /** The client disconnected before the whole response was sent. */
  readonly aborted: boolean;
}

/** A line of the log, formatted by `toString` when it is written. */
interface AccessLogLine extends Outcome {
  readonly at: number;
  readonly context: RequestContext;
  readonly method: string | undefined;
  readonly url: string | undefined;
  toString(this: AccessLogLine): string;
}

export interface LogNames {
  readonly nameAccount: NameAccount;
  readonly nameAddress: NameAddress;
}

/**
 * One line per request, after its answer is out. Put into the logger's destination in the logger's shape: its search for
 * secrets costs a sixth of the fastest routes, and no field here can hold one. It is formatted when it is
 * written, in a batch: between two requests the same work costs several times as much.
 */
export function accessLog(log: Logger, { nameAccount, nameAddress }: LogNames) {
  const destination = Reflect.get(log, symbols.streamSym) as { write(line: AccessLogLine): void };
  const time = isoTime();
  function format(this: AccessLogLine): string {
    const { at, context, method, status, ms, aborted } = this;
    const query = safeQuery(this);
    // Only path and query are the caller's text; the rest cannot hold what JSON would escape.
    return (
      `{"level":"info","time":"${time(at)}","pid":${process.pid},"request_id":"${context.id}","address":"${nameAddress(context.address)}"` +
      `,"method":"${method}","path":${JSON.stringify(shortened(pathOf(this)))}` +
      (query === undefined ? '' : `,"query":${JSON.stringify(shortened(query))}`) +
      `,"status":${status},"ms":${Math.round(ms * 10) / 10}${aborted ? ',"aborted":true' : ''}${refusalFields(context, nameAccount)},"msg":"request"}\n`
    );
  }

  return ({ context, method, url }: IncomingMessage, { status, ms, aborted }: Outcome): void => {
    if (!log.isLevelEnabled('info')) return;
    destination.write({ at: Date.now(), context, method, url, status, ms, aborted, toString: format });
  };
}

/** Why, by which throttle, of whom: so that the log answers why somebody could not log in. */
function refusalFields({ refused, account }: RequestContext, nameAccount: NameAccount): string {
  if (refused === undefined) return '';
  const name = account === undefined ? undefined : nameAccount(account);
  return (
    `,"code":"${refused.code}"` +
    (refused.throttle === undefined ? '' : `,"throttle":"${refused.throttle}"`) +
    (name === undefined ? '' : `,"account":${JSON.stringify(name)}`)
  );
}

/** The text up to the second is made once a second. */
function isoTime(): (at: number) => string {
  let second = 0;
  let text = '';
  return (at) => {
    const ms = at % 1000;
    if (at - ms !== second) {
      second = at - ms;
      text = new Date(second).toISOString().slice(0, -'000Z'.length);
    }
    return `${text}${String(ms).padStart(3, '0')}Z`;
  };
}

const shortened = (text: string) => (text.length > MAX_LOGGED ? `${text.slice(0, MAX_LOGGED)}…` : text);

function safeQuery(line: AccessLogLine): string | undefined {
  const query = queryOf(line);
  if (query === '') return undefined;
  try {
    return Object.entries(parseUrlEncoded(query.slice(0, 2048)))
      .map(([name, value]) => `${name}=${SAFE_PARAMETERS.has(name) ? value : '…'}`)
      .join('&');
  } catch {
    return '…';
  }
}

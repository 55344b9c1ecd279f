import type { IncomingMessage } from 'node:http';
import { type Logger, symbols } from 'pino';
import { pathOf, queryOf, type RequestContext } from './request-context.ts';
import { parseUrlEncoded } from './text-fields.ts';

/** The only query values that may stand in a log; of everything else just the name is kept. */
const SAFE_PARAMETERS = new Set(['server_id', 'agent_id', 'provider', 'limit']);

/** How a request ended. */
interface Outcome {
  readonly status: number;
  readonly ms: number;
  /** The caller left before all of the answer was out. */
  readonly aborted: boolean;
}

/** What a line tells of a request. */
interface Told extends Outcome {
  readonly at: number;
  readonly context: RequestContext;
  readonly method: string | undefined;
  readonly url: string | undefined;
  toString(this: Told): string;
}

/**
 * One line per request, after its answer is out. Put into the logger's destination in the logger's shape: its search for
 * secrets costs a sixth of the fastest routes, and no field here can hold one. It is worded when it is written out,
 * among others: between two requests the same words cost several times as much.
 */
export function accessLog(log: Logger) {
  const destination = Reflect.get(log, symbols.streamSym) as { write(line: Told): void };
  const time = timeText();
  function worded(this: Told): string {
    const { at, context, method, status, ms, aborted } = this;
    const query = safeQuery(this);
    // Only path and query are the caller's own words; the rest cannot hold what JSON would escape.
    return (
      `{"level":"info","time":"${time(at)}","pid":${process.pid},"request_id":"${context.id}","address":"${context.address}"` +
      `,"method":"${method}","path":${JSON.stringify(pathOf(this))}` +
      (query === undefined ? '' : `,"query":${JSON.stringify(query)}`) +
      `,"status":${status},"ms":${Math.round(ms * 10) / 10}${aborted ? ',"aborted":true' : ''},"msg":"request"}\n`
    );
  }

  return ({ context, method, url }: IncomingMessage, { status, ms, aborted }: Outcome): void => {
    if (!log.isLevelEnabled('info')) return;
    destination.write({ at: Date.now(), context, method, url, status, ms, aborted, toString: worded });
  };
}

/** The time of day is worded once a second. */
function timeText(): (at: number) => string {
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

function safeQuery(told: Told): string | undefined {
  const query = queryOf(told);
  if (query === '') return undefined;
  try {
    return Object.entries(parseUrlEncoded(query.slice(0, 2048)))
      .map(([name, value]) => `${name}=${SAFE_PARAMETERS.has(name) ? value : '…'}`)
      .join('&');
  } catch {
    return '…';
  }
}

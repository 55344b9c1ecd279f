import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DestinationStream, type Logger, symbols } from 'pino';
import { parseUrlEncoded } from './text-fields.ts';
import { pathOf, queryOf } from './visit.ts';

/** The only query values that may stand in a log; of everything else just the name is kept. */
const SAFE_PARAMETERS = new Set(['server_id', 'agent_id', 'provider', 'limit']);

/**
 * One line per request, after its answer is out. Written by hand into the logger's destination, in the logger's shape:
 * its search for secrets costs a sixth of the fastest routes, and no field here can hold one.
 */
export function accessLog(log: Logger) {
  const destination = Reflect.get(log, symbols.streamSym) as DestinationStream;
  const time = timeText();
  return (request: IncomingMessage, response: ServerResponse, ms: number): void => {
    if (!log.isLevelEnabled('info')) return;
    const { id, address } = request.visit;
    const query = safeQuery(request);
    // Only path and query are the caller's own words; the rest cannot hold what JSON would escape.
    destination.write(
      `{"level":"info","time":"${time()}","pid":${process.pid},"request_id":"${id}","address":"${address}"` +
        `,"method":"${request.method}","path":${JSON.stringify(pathOf(request))}` +
        (query === undefined ? '' : `,"query":${JSON.stringify(query)}`) +
        `,"status":${response.statusCode},"ms":${Math.round(ms * 10) / 10}` +
        `${response.writableFinished ? '' : ',"aborted":true'},"msg":"request"}\n`,
    );
  };
}

/** The time of day is worded once a second. */
function timeText(): () => string {
  let second = 0;
  let text = '';
  return () => {
    const now = Date.now();
    const ms = now % 1000;
    if (now - ms !== second) {
      second = now - ms;
      text = new Date(second).toISOString().slice(0, -'000Z'.length);
    }
    return `${text}${String(ms).padStart(3, '0')}Z`;
  };
}

function safeQuery(request: IncomingMessage): string | undefined {
  const query = queryOf(request);
  if (query === '') return undefined;
  try {
    return Object.entries(parseUrlEncoded(query.slice(0, 2048)))
      .map(([name, value]) => `${name}=${SAFE_PARAMETERS.has(name) ? value : '…'}`)
      .join('&');
  } catch {
    return '…';
  }
}

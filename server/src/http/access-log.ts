import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { parseUrlEncoded } from './text-fields.ts';
import { pathOf, queryOf } from './visit.ts';

/** The only query values that may stand in a log; of everything else just the name is kept. */
const SAFE_PARAMETERS = new Set(['server_id', 'agent_id', 'provider', 'limit']);

/** One line per request, after its answer is out. */
export function accessLog(log: Logger) {
  return (request: IncomingMessage, response: ServerResponse, ms: number): void => {
    if (!log.isLevelEnabled('info')) return;
    const { id, address } = request.visit;
    log.info(
      {
        request_id: id,
        address,
        method: request.method,
        path: pathOf(request),
        query: safeQuery(request),
        status: response.statusCode,
        ms: Math.round(ms * 10) / 10,
        ...(response.writableFinished ? {} : { aborted: true }),
      },
      'request',
    );
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

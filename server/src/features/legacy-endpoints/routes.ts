import type { IncomingMessage, ServerResponse } from 'node:http';
import { commonHeaders } from '../../http/headers.ts';
import { sendProblem } from '../../http/problem.ts';
import { pathOf, queryOf } from '../../http/request-context.ts';
import { Refusal } from '../../refusal.ts';

export interface LegacyEndpointSettings {
  readonly api: readonly string[];
  readonly callback: readonly string[];
  readonly server_list: readonly string[];
  readonly login: readonly string[];
}

interface LegacyEndpointDeps {
  readonly settings: LegacyEndpointSettings;
  readonly publicUrl: string;
  readonly hit: (entry: keyof LegacyEndpointSettings | 'php') => void;
}

/**
 * Answers the endpoints of the previous generation: gone, or, for its login page, a redirect to the front end. Runs before the
 * router, because old clients call them with any method and any body.
 */
export function legacyEndpoints({ settings, publicUrl, hit }: LegacyEndpointDeps) {
  const entries = new Map<string, keyof LegacyEndpointSettings>();
  for (const entry of ['api', 'callback', 'server_list', 'login'] as const) {
    for (const path of settings[entry]) entries.set(path, entry);
  }

  // Every request passes here. Comparing lengths first spares V8 from interning the path for a map lookup.
  const lengths = new Set(Array.from(entries.keys(), ({ length }) => length));
  const entryOf = (path: string) => (lengths.has(path.length) ? entries.get(path) : undefined);

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const path = pathOf(request);
    const bare = path.endsWith('/') ? entryOf(withoutTrailingSlashes(path)) : undefined;
    const entry = bare ?? entryOf(path);
    if (entry === undefined && !isPhp(path)) return false;
    hit(entry ?? 'php');
    if (entry === 'login') redirect(request, response, publicUrl);
    else sendProblem(response, request, new Refusal(entry === undefined ? 'not_found' : 'gone'));
    return true;
  };
}

const SLASH = 0x2f;

/** Counts by hand: a regular expression restarts at each slash of a run, which takes quadratic time. */
function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path.charCodeAt(end - 1) === SLASH) end--;
  return end === path.length ? path : path.slice(0, end);
}

/** Matches every spelling: old servers also ran `/x%2ephp` and `/x.php/y`. */
function isPhp(path: string): boolean {
  const php = /\.php(?:\/|$)/i;
  if (!path.includes('%')) return path.includes('.') && php.test(path);
  try {
    return php.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

/** Redirects to the login page, preserving the promoter of an old link. */
function redirect(request: IncomingMessage, response: ServerResponse, publicUrl: string): void {
  const target = new URL('/login', publicUrl);
  const agent = /(?:^|&)agent_id=(\d{1,15})(?:&|$)/.exec(queryOf(request))?.[1];
  if (agent !== undefined) target.searchParams.set('agent_id', agent);
  response.writeHead(301, {
    location: target.href,
    'content-length': 0,
    ...commonHeaders(request.context.id),
  });
  response.end();
}

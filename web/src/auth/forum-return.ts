import type { RouteLocationNormalizedLoaded } from 'vue-router';

export interface ForumReturn {
  readonly ticket: string | null;
  readonly linked: boolean;
  /** The player's name at the forum, if it is given. */
  readonly name: string | null;
  readonly error: string | null;
  readonly redirect: string | null;
}

/** Parses what the service redirected the browser with: `#ticket=…&linked=0|1&name=…`, or `?error=`. */
export function readForumReturn({
  hash,
  query,
}: Pick<RouteLocationNormalizedLoaded, 'hash' | 'query'>): ForumReturn | null {
  const fragment = new URLSearchParams(hash.slice(1));
  const ticket = fragment.get('ticket');
  const error = typeof query.error === 'string' ? query.error : null;
  if (!ticket && !error) return null;
  const redirect = fragment.get('redirect') ?? query.redirect ?? query.return;
  return {
    ticket,
    error,
    linked: fragment.get('linked') === '1',
    name: fragment.get('name'),
    redirect: typeof redirect === 'string' ? redirect : null,
  };
}

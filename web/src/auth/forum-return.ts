import type { RouteLocationNormalizedLoaded } from 'vue-router';

export interface ForumReturn {
  readonly ticket: string | null;
  readonly linked: boolean;
  readonly error: string | null;
  readonly redirect: string | null;
}

/** What the service sent the browser back with: `#ticket=…&linked=0|1`, or `?error=`. */
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
    redirect: typeof redirect === 'string' ? redirect : null,
  };
}

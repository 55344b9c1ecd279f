/** Returns the host and the path of a URL. The query often holds a token and is left out. */
export function shortUrl(url: string): string {
  const { host, pathname, search } = new URL(url);
  const path = pathname === '/' ? '' : pathname;
  return `${host}${path.length > 40 ? `${path.slice(0, 40)}…` : path}${search ? '?…' : ''}`;
}

/**
 * An address that people may read: `***` for its password and for the values of its query, where GM interfaces take their keys.
 * By text, not by URL: addresses of a cluster name several hosts, and a password may hold characters that should be escaped.
 */
export function maskUrl(url: string): string {
  return url
    .replace(/^([\w+.-]+:\/\/)(?:([^:@/?#]*):)?.*@/s, (_, scheme: string, user: string | undefined) =>
      user === undefined ? `${scheme}***@` : `${scheme}${user}:***@`,
    )
    .replace(/([?&][^=?&#]*=)[^&#]*/g, '$1***');
}

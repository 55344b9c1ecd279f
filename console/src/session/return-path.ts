/** Returns where to go after login: a page of the console, never another site. */
export function returnPath(wanted: unknown): string {
  const isOwn = typeof wanted === 'string' && /^\/(?![/\\])/.test(wanted) && !wanted.startsWith('/login');
  return isOwn ? wanted : '/';
}

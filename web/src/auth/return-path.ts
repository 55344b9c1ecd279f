import type { Router } from 'vue-router';

/** Where to go after the login: a guarded page of this site, never another address. */
export function returnPath(router: Router, wanted: unknown): string {
  if (typeof wanted !== 'string' || !/^\/(?![/\\])/.test(wanted)) return '/';
  return router.resolve(wanted).meta.guarded ? wanted : '/';
}

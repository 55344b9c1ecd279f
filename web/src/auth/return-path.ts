import type { Router } from 'vue-router';

/** Returns where to go after login: a guarded page of this site, never another origin. */
export function returnPath(router: Router, wanted: unknown): string {
  if (typeof wanted !== 'string' || !/^\/(?![/\\])/.test(wanted)) return '/';
  return router.resolve(wanted).meta.guarded ? wanted : '/';
}

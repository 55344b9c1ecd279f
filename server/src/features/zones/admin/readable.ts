import { maskUrl } from '../../../security/mask-url.ts';
import type { ZoneFields } from './store.ts';

/** A zone's columns as people may read them: times as the API writes them, addresses without their passwords. */
export function readable({ opened_at, gm_url, database_url, ...fields }: ZoneFields): object {
  return {
    ...fields,
    ...(opened_at !== undefined && {
      opened_at: opened_at === null ? null : new Date(opened_at).toISOString(),
    }),
    ...(gm_url !== undefined && { gm_url: gm_url === null ? null : maskUrl(gm_url) }),
    ...(database_url !== undefined && {
      database_url: database_url === null ? null : maskUrl(database_url),
    }),
  };
}

import type { AdminZone, ChangedZone } from '@gatehouse/contract/admin';
import { facts } from '../api/facts.ts';
import { inputValueIn, momentOf } from '../i18n/platform-time.ts';
import type { ZoneStatus } from './statuses.ts';

/** A zone in its form: every field is text. */
export interface ZoneForm {
  server_id: string;
  name: string;
  address: string;
  port: string;
  status: ZoneStatus | '';
  sort: string;
  opened_at: string;
  gm_url: string;
  database_url: string;
}

export function formOf(zone?: AdminZone): ZoneForm {
  return {
    server_id: zone ? String(zone.server_id) : '',
    name: zone?.name ?? '',
    address: zone?.address ?? '',
    port: zone ? String(zone.port) : '',
    status: zone?.status ?? 'new',
    sort: zone ? String(zone.sort) : '0',
    opened_at: zone?.opened_at ? inputValueIn(facts.timeZone, zone.opened_at) : '',
    gm_url: zone?.gm_url ?? '',
    database_url: zone?.database_url ?? '',
  };
}

/** Returns the changed fields of the form, converted for the API. */
export function changesOf(form: ZoneForm, initial: ZoneForm): ChangedZone {
  const all = valuesOf(form);
  const fields = Object.keys(all) as (keyof typeof all)[];
  return Object.fromEntries(
    fields.filter((field) => form[field] !== initial[field]).map((field) => [field, all[field]]),
  );
}

export function valuesOf(form: ZoneForm) {
  return {
    name: form.name.trim(),
    address: form.address.trim(),
    port: Number(form.port),
    status: form.status || 'new',
    sort: Number(form.sort),
    opened_at: form.opened_at === '' ? null : momentOf(facts.timeZone, form.opened_at),
    gm_url: form.gm_url.trim() || null,
    database_url: form.database_url.trim() || null,
  } satisfies ChangedZone;
}

import { isDeepStrictEqual } from 'node:util';
import { type SiteFieldName, type SiteFields, siteFieldNames, siteFields } from '@gatehouse/contract';
import { Check } from 'typebox/schema';
import type { Trx } from '../../../db/transaction.ts';
import { Refusal } from '../../../refusal.ts';
import { siteProblems } from '../../../settings/site-fields.ts';
import type { Actor, Append, Why } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import type { SiteAdminStore } from './store.ts';

export interface SiteAdminDeps {
  readonly site: SiteAdminStore;
  readonly audit: Pick<AuditStore, 'transaction'>;
  readonly publicUrl: string;
}

/** What to change; null restores the settings file's value. */
export type SiteChange = { readonly [N in SiteFieldName]?: SiteFields[N] | null };

/** Changes the given fields, all or nothing. Returns the id of the audit entry, or null if nothing changed. */
export function setSite(deps: SiteAdminDeps) {
  return async (actor: Actor, change: SiteChange, { reason }: Why = {}): Promise<string | null> => {
    refuseUnfit(change, deps.publicUrl);
    return deps.audit.transaction(actor, (trx, append) =>
      changeFields(deps, { trx, append, actor, reason }, change),
    );
  };
}

export interface Changing extends Why {
  readonly trx: Trx;
  readonly append: Append;
  readonly actor: Actor;
}

export async function changeFields(
  { site }: SiteAdminDeps,
  { trx, append, actor, reason }: Changing,
  change: SiteChange,
): Promise<string | null> {
  const before: Record<string, unknown> = {};
  const after: Record<string, unknown> = {};
  for (const name of siteFieldNames) {
    const value = change[name];
    if (value === undefined) continue;
    const row = await site.stateOf(trx, name);
    const known = row?.value ? JSON.parse(row.value) : null;
    if (isDeepStrictEqual(known, value)) continue;
    if (value !== null)
      await site.set(trx, row, { name, value: JSON.stringify(value), file: null }, actor.name);
    else if (row) await site.clear(trx, row);
    before[name] = known;
    after[name] = value;
  }
  if (Object.keys(after).length === 0) return null;
  return append({ action: 'site.set', subject: { kind: 'site', id: 'site' }, reason, before, after });
}

/** Also checks the schemas. The API has done so before, but the command line and imports have not. */
export function refuseUnfit(change: SiteChange, publicUrl: string): void {
  const entries = Object.entries(change).filter(([, value]) => value !== null && value !== undefined);
  const unfit = entries.filter(([name, value]) => !Check(siteFields[name as SiteFieldName], value));
  const errors =
    unfit.length > 0
      ? unfit.map(([field]) => ({ field, message: 'pattern' }))
      : siteProblems(Object.fromEntries(entries) as SiteFields, publicUrl);
  if (errors.length > 0) throw new Refusal('invalid_request', { errors });
}

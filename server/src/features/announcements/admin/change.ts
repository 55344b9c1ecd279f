import { announcementLengths, announcementTexts } from '@gatehouse/contract/admin';
import { Check } from 'typebox/schema';
import { Refusal, refuseInput } from '../../../refusal.ts';
import { type Actor, changes, type Why } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import type { AnnouncementAdminStore, AnnouncementFields } from './store.ts';

const MAX_NOTICE_LENGTH = 4000;
/** Upper bound for a text in the audit, whose columns hold 64 KiB. */
const MAX_AUDITED_LENGTH = 4000;

const plainNotice = { kind: 'notice', pinned: false, summary: '' } as const;
type NewsFields = Pick<AnnouncementFields, keyof typeof plainNotice>;
export type NewAnnouncement = Omit<AnnouncementFields, keyof NewsFields> & Partial<NewsFields>;

export interface AnnouncementAdminDeps {
  readonly announcements: AnnouncementAdminStore;
  readonly audit: Pick<AuditStore, 'transaction'>;
}

/** Adds an announcement. Returns its id and that of the audit entry. */
export function addAnnouncement({ announcements, audit }: AnnouncementAdminDeps) {
  return async (actor: Actor, given: NewAnnouncement, { reason }: Why = {}) => {
    const fields = { ...plainNotice, ...given };
    refuseUnfit(fields, fields);
    return audit.transaction(actor, async (trx, append) => {
      const id = await announcements.add(trx, fields);
      const auditId = await append({
        ...entry(id, reason),
        action: 'announcement.add',
        after: readable(withoutPlain(fields)),
      });
      return { id, auditId };
    });
  };
}

/** Changes the given fields. Returns the id of the audit entry, or null if nothing changed. */
export function setAnnouncement({ announcements, audit }: AnnouncementAdminDeps) {
  return (
    actor: Actor,
    { id, ...given }: Partial<AnnouncementFields> & { readonly id: number },
    { reason }: Why = {},
  ): Promise<string | null> =>
    audit.transaction(actor, async (trx, append) => {
      const before = await announcements.stateOf(trx, id);
      if (!before) throw new Refusal('not_found');
      const changed = changes<Partial<AnnouncementFields>>(before, given);
      if (!changed) return null;
      const after = { ...before, ...given };
      refuseUnfit(after, given);
      await announcements.change(trx, before, after);
      return append({
        ...entry(id, reason),
        action: 'announcement.set',
        before: readable(changed.before),
        after: readable(changed.after),
      });
    });
}

export function removeAnnouncement({ announcements, audit }: AnnouncementAdminDeps) {
  return (actor: Actor, id: number, { reason }: Why = {}): Promise<string> =>
    audit.transaction(actor, async (trx, append) => {
      const before = await announcements.stateOf(trx, id);
      if (!before) throw new Refusal('not_found');
      await announcements.remove(trx, before);
      const { id: _, ...fields } = before;
      return append({
        ...entry(id, reason),
        action: 'announcement.remove',
        before: readable(withoutPlain(fields)),
      });
    });
}

const entry = (id: number, reason: string | undefined) => ({ subject: { kind: 'announcement', id }, reason });

/** Also checks the schemas of the given texts. The API has done so before, but the command line has not. */
function refuseUnfit(
  { from, until, kind, body }: AnnouncementFields,
  given: Partial<AnnouncementFields>,
): void {
  for (const name of ['title', 'summary', 'body'] as const) {
    const [text, limit] = [given[name] ?? '', announcementLengths[name]];
    if ([...text].length > limit) throw refuseInput(name, 'maxLength', { limit });
    if (given[name] !== undefined && !Check(announcementTexts[name], text))
      throw refuseInput(name, 'pattern');
  }
  if (from !== null && until !== null && until <= from) throw refuseInput('until', 'after_from');
  if (kind === 'notice' && [...body].length > MAX_NOTICE_LENGTH)
    throw refuseInput('body', 'maxLength', { limit: MAX_NOTICE_LENGTH });
}

/** Omits the fields that every notice has. */
function withoutPlain(fields: AnnouncementFields): Partial<AnnouncementFields> {
  const plain: Readonly<Record<string, unknown>> = plainNotice;
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => plain[name] !== value));
}

/** Renders times as ISO text, and only the beginning of a long text. */
function readable(fields: Partial<AnnouncementFields>): object {
  const times = Object.entries(fields).filter(([name]) => name === 'from' || name === 'until');
  const { body } = fields;
  const isLong = body !== undefined && body.length > MAX_AUDITED_LENGTH;
  return {
    ...fields,
    ...(isLong && { body: `${body.slice(0, MAX_AUDITED_LENGTH).toWellFormed()}… (${body.length})` }),
    ...Object.fromEntries(
      times.map(([name, at]) => [name, typeof at === 'number' ? new Date(at).toISOString() : at]),
    ),
  };
}

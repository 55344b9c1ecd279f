import { contrastOf, minAccentContrast, pageGround } from '@gatehouse/contract/accent';
import type { AdminSite, AuditRecord, SiteFields, SiteLink, SitePicture } from '@gatehouse/contract/admin';
import { sitePictures } from '@gatehouse/contract/admin';

export const textFields = [
  'title',
  'slogan',
  'slogan_en',
  'accent',
  'footer',
  'footer_en',
  'icp',
  'police',
  'support',
  'privacy',
] as const;
export type TextField = (typeof textFields)[number];

/** Fields that can be set to nothing although the settings file has a value. */
const mayBeEmpty: readonly TextField[] = ['slogan', 'slogan_en', 'footer', 'footer_en', 'icp', 'police'];

/** A picture of the draft. `url` shows it: a path of the service, or a data URL of a file that is not uploaded yet. */
export interface DraftPicture {
  readonly url: string | null;
  readonly file?: Blob;
}

export interface Draft {
  texts: Record<TextField, string>;
  links: SiteLink[];
  pictures: Record<SitePicture, DraftPicture>;
}

export function draftOf(site: AdminSite): Draft {
  return {
    texts: Object.fromEntries(textFields.map((name) => [name, site[name].value ?? ''])) as Draft['texts'],
    links: site.links.value.map((link) => ({ ...link })),
    pictures: Object.fromEntries(
      sitePictures.map((name) => [name, { url: site[name].value }]),
    ) as Draft['pictures'],
  };
}

/** Applies changes of a draft to what is published now. Colleagues, or a publication that failed halfway, may have changed it. */
export function withChanges(
  site: AdminSite,
  { patch, pictures }: Pick<Changes, 'patch' | 'pictures'>,
  changed: Draft,
): Draft {
  const draft = draftOf(site);
  for (const name of textFields) if (name in patch) draft.texts[name] = changed.texts[name];
  if ('links' in patch) draft.links = changed.links;
  for (const name of pictures) draft.pictures[name] = changed.pictures[name];
  return draft;
}

export type SitePatch = { -readonly [N in keyof SiteFields]?: SiteFields[N] | null };

export interface Changes {
  readonly patch: SitePatch;
  readonly pictures: readonly SitePicture[];
  /** What changed, for the operator to read. */
  readonly list: readonly { readonly name: string; readonly before: string; readonly after: string }[];
}

/** Compares a draft with what is published. */
export function changesOf(site: AdminSite, draft: Draft): Changes {
  const published = draftOf(site);
  const patch: Record<string, unknown> = {};
  const list: { name: string; before: string; after: string }[] = [];
  for (const name of textFields) {
    const text = draft.texts[name].trim();
    if (text === published.texts[name]) continue;
    patch[name] = text || (staysEmpty(name, site) ? '' : null);
    list.push({ name, before: published.texts[name], after: text });
  }
  const links = draft.links.map(withoutEmpty);
  if (JSON.stringify(links) !== JSON.stringify(published.links.map(withoutEmpty))) {
    patch.links = links;
    list.push({ name: 'links', before: linkText(published.links), after: linkText(links) });
  }
  const pictures = sitePictures.filter((name) => draft.pictures[name].url !== published.pictures[name].url);
  return { patch: patch as SitePatch, pictures, list };
}

/** Tells whether an empty field means no text, instead of the value of the settings file. */
export function staysEmpty(name: TextField, site: AdminSite): boolean {
  const { value, source } = site[name];
  return mayBeEmpty.includes(name) && (source === 'console' ? value === '' : Boolean(value));
}

export const linkText = (links: readonly SiteLink[]) =>
  links.map(({ label, url }) => `${label} → ${url}`).join('\n');

function withoutEmpty({ label, label_en, url, icon }: SiteLink): SiteLink {
  return {
    label: label.trim(),
    ...(label_en?.trim() && { label_en: label_en.trim() }),
    url: url.trim(),
    ...(icon && { icon }),
  };
}

/** Returns the contrast of an accent on the pages, and whether it is accepted; undefined if it is no colour. */
export function accentContrast(accent: string): { ratio: number; accepted: boolean } | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(accent)) return undefined;
  const ratio = contrastOf(accent, pageGround);
  return { ratio, accepted: ratio >= minAccentContrast };
}

/** Entries of one publication are written within this time. */
const TOGETHER_MS = 60_000;

/** The last publication: who, when, and what it replaced. */
export interface LastChange {
  readonly actor: string;
  readonly at: string;
  readonly patch: SitePatch;
  /** The path of the picture before, or null. */
  readonly pictures: Readonly<Partial<Record<SitePicture, string | null>>>;
}

/** Finds what the newest entries of the audit, of one operator and one minute, replaced. Entries are in any order. */
export function lastChange(entries: readonly AuditRecord[]): LastChange | undefined {
  const own = entries
    .filter(({ subject_kind, subject_id }) => subject_kind === 'site' || isPicture(subject_id))
    .sort((a, b) => Number(b.id) - Number(a.id));
  const [newest] = own;
  if (!newest) return undefined;
  const together = own.filter(
    ({ actor, at }) => actor === newest.actor && Date.parse(newest.at) - Date.parse(at) <= TOGETHER_MS,
  );
  const patch: Record<string, unknown> = {};
  const pictures: Partial<Record<SitePicture, string | null>> = {};
  // Newest first, so that the oldest value is the one that stays.
  for (const { subject_kind, subject_id, before } of together) {
    if (subject_kind === 'site') Object.assign(patch, before);
    else if (isPicture(subject_id))
      pictures[subject_id] = (before as { readonly url?: string } | null)?.url ?? null;
  }
  return { actor: newest.actor, at: newest.at, patch: patch as SitePatch, pictures };
}

const isPicture = (name: string | null): name is SitePicture =>
  sitePictures.some((picture) => picture === name);

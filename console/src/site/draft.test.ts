import type { AdminSite, AuditRecord } from '@gatehouse/contract/admin';
import { expect, test } from 'vitest';
import { accentContrast, changesOf, draftOf, lastChange, staysEmpty, withChanges } from './draft.ts';

const field = (value: string | null, source: AdminSite['title']['source'] = 'default') => ({ value, source });
const site: AdminSite = {
  title: field('Gate'),
  slogan: field('From the file', 'file'),
  slogan_en: field('Set here', 'console'),
  accent: field('#5aa9ff', 'console'),
  links: { value: [{ label: 'Forum', url: '/forum' }], source: 'console' },
  footer: field(null),
  footer_en: field(null),
  icp: field(null),
  police: field(null),
  support: field(null),
  privacy: field(null),
  logo: field('/brand/0123456789abcdef.png', 'console'),
  favicon: field(null),
  background_wide: field(null),
  background_tall: field(null),
  news_pictures: [],
};

test('when nothing is typed, then nothing changes; when fields are emptied, then each is reset or set to nothing', () => {
  expect(changesOf(site, draftOf(site))).toEqual({ patch: {}, pictures: [], list: [] });
  const draft = draftOf(site);
  Object.assign(draft.texts, { title: ' New ', slogan: '', slogan_en: '', accent: '' });
  draft.links = [{ label: 'Forum', label_en: ' ', url: ' /forum ' }];
  draft.pictures.logo = { url: null };
  const { patch, pictures, list } = changesOf(site, draft);
  expect(patch).toEqual({ title: 'New', slogan: '', slogan_en: null, accent: null });
  expect(pictures).toEqual(['logo']);
  expect(list).toContainEqual({ name: 'title', before: 'Gate', after: 'New' });
});

test('when the site changes meanwhile, then the draft has what is published and the changes that were not sent', () => {
  const draft = draftOf(site);
  Object.assign(draft.texts, { title: 'New', slogan_en: '' });
  draft.links = [];
  draft.pictures.logo = { url: 'data:unsent' };
  draft.pictures.favicon = { url: 'data:sent' };
  const now: AdminSite = {
    ...site,
    slogan: field('By a colleague', 'console'),
    slogan_en: field('Of the file', 'file'),
    favicon: field('/brand/fedcba9876543210.png', 'console'),
  };
  const left = (unsent: Parameters<typeof withChanges>[1]) => {
    const { patch, pictures } = changesOf(now, withChanges(now, unsent, draft));
    return { patch, pictures };
  };
  const rest = { patch: { title: 'New' }, pictures: ['logo'] } as const;
  expect(left(rest)).toEqual(rest);
  expect(left({ patch: { links: [] }, pictures: [] })).toEqual({ patch: { links: [] }, pictures: [] });
});

test.each([
  ['slogan', field('From the file', 'file'), true],
  ['slogan', field(null), false],
  ['slogan', field('Set here', 'console'), false],
  ['slogan', field('', 'console'), true],
  ['support', field('From the file', 'file'), false],
] as const)(
  'when %s is emptied while %o is published, then that it means no text is %s',
  (name, value, expected) => {
    expect(staysEmpty(name, { ...site, [name]: value })).toBe(expected);
  },
);

test('when an accent is typed, then its contrast decides whether it is accepted', () => {
  expect(accentContrast('#5aa9ff')?.accepted).toBe(true);
  expect(accentContrast('#223344')?.accepted).toBe(false);
  expect(accentContrast('#12')).toBeUndefined();
});

const entry = (id: number, at: string, more: Partial<AuditRecord>): AuditRecord => ({
  id: String(id),
  at,
  actor: 'boss',
  via: 'console',
  action: 'site.set',
  subject_kind: 'site',
  subject_id: 'site',
  server_id: null,
  reason: null,
  before: null,
  after: null,
  ip: null,
  request_id: null,
  ...more,
});

test('when texts and pictures were published together, then the last change has the values before all of them', () => {
  const picture = { action: 'site.file', subject_kind: 'site_file' };
  const last = lastChange([
    entry(9, '2026-10-01T10:00:00.000Z', { before: { title: null } }),
    entry(12, '2026-10-02T10:00:02.000Z', { before: { title: 'Old', accent: null } }),
    entry(13, '2026-10-02T10:00:03.000Z', { ...picture, subject_id: 'logo', before: null }),
    entry(14, '2026-10-02T10:00:04.000Z', { ...picture, subject_id: 'news-1', before: null }),
  ]);
  expect(last).toEqual({
    actor: 'boss',
    at: '2026-10-02T10:00:03.000Z',
    patch: { title: 'Old', accent: null },
    pictures: { logo: null },
  });
  expect(lastChange([])).toBeUndefined();
});

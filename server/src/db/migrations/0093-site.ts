import { bigint, bytes, createdAt, type Flavour, int, longText, optional, type Table, text } from '../ddl.ts';

/** What operators set of their site: a value as JSON, or for a picture the hash of its file. */
const siteSetting = {
  name: 'site_setting',
  columns: {
    name: text(40),
    value: optional(longText),
    file: optional(text(16)),
    actor: text(64, ''),
    at: createdAt,
  },
  primaryKey: ['name'],
} as const satisfies Table;

/** Pictures by the hash in their path. A replaced one is kept for a time, because pages and mails still name it. */
const siteFile = {
  name: 'site_file',
  columns: {
    hash: text(16),
    type: text(16),
    width: int(0),
    height: int(0),
    bytes: int(0),
    content: bytes,
    created_at: createdAt,
    /** When the last setting that names it was changed; NULL while one does. */
    unused_since: optional(bigint()),
  },
  primaryKey: ['hash'],
  index: [['unused_since']],
} as const satisfies Table;

export const site = {
  name: '0093-site',
  tables: [siteSetting, siteFile],
  extensions: [
    {
      table: 'announcement',
      columns: { kind: text(16, 'notice'), pinned: int(0), summary: text(200, '') },
      index: [['kind', 'ends_at']],
    },
  ],
  // 20,000 characters of four bytes do not fit into TEXT.
  statements: (flavour: Flavour) =>
    flavour === 'sqlite' ? [] : ['ALTER TABLE `announcement` MODIFY `body` MEDIUMTEXT NOT NULL'],
} as const;

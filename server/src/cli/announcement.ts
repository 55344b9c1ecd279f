import {
  type AnnouncementKind,
  type AnnouncementLanguage,
  type AnnouncementLevel,
  announcementKinds,
  announcementLanguages,
  announcementLevels,
} from '@gatehouse/contract';
import type { Command } from 'commander';
import { openAnnouncementAdmin } from '../features/announcements/admin/module.ts';
import { type Change, changing, command, type Options, oneOf, orNone, wholeNumber } from './context.ts';
import { operate } from './operate.ts';
import { print, printResult } from './output.ts';
import { momentOrNone, time } from './time.ts';

interface Fields {
  readonly title?: string;
  readonly body?: string;
  readonly level?: AnnouncementLevel;
  readonly language?: AnnouncementLanguage | typeof NONE;
  readonly from?: number | typeof NONE;
  readonly until?: number | typeof NONE;
  readonly kind?: AnnouncementKind;
  readonly pinned?: boolean;
  readonly summary?: string;
}

/** Represents null. */
const NONE = 'none';

const withAnnouncements = operate((db) => openAnnouncementAdmin({ db }));

export function announcementCommand(): Command {
  return command('announcement').addCommand(list()).addCommand(add()).addCommand(set()).addCommand(remove());
}

function list(): Command {
  return command('list', 'list announcements, newest first, including ended ones')
    .option('--limit <number>', 'maximum number of rows', wholeNumber, 50)
    .action((options: Options & { limit: number }) =>
      withAnnouncements(options, async (announcements) => {
        const records = await announcements.list({ limit: options.limit });
        const rows = records.map(({ createdAt, ...record }) => ({
          ...record,
          ...(!options.json && { body: beginningOf(record.body) }),
          from: time(record.from),
          until: time(record.until),
          created_at: time(createdAt),
        }));
        print(rows, { ...options, empty: 'no announcements' });
      }),
    );
}

const SHOWN_LENGTH = 60;

const beginningOf = (body: string) =>
  body.length > SHOWN_LENGTH ? `${body.slice(0, SHOWN_LENGTH).toWellFormed()}…` : body;

function add(): Command {
  return withFields(
    changing('add', 'add an announcement').requiredOption('--title <text>', 'one line'),
  ).action((options: Change & Fields & { title: string }) =>
    withAnnouncements(options, async (announcements, actor) => {
      const { title, body = '', level = 'info', language = NONE, from = NONE, until = NONE } = options;
      const { kind = 'notice', pinned = false, summary = '' } = options;
      const fields = { title, body, level, kind, pinned, summary, ...given({ language, from, until }) };
      const { id } = await announcements.add(actor, fields, options);
      printResult(`announcement ${id} added`, { id });
    }),
  );
}

function set(): Command {
  return withFields(
    changing('set', 'change the given fields; `none` removes a language, start or end')
      .argument('<id>', 'ID as shown by list', wholeNumber)
      .option('--title <text>', 'one line'),
  ).action((id: number, options: Change & Fields) =>
    withAnnouncements(
      { ...options, missing: `there is no announcement ${id}` },
      async (announcements, actor) => {
        const { config: _, json: __, reason, language, from, until, ...rest } = options;
        const fields = { ...rest, ...given({ language, from, until }) };
        await announcements.set(actor, { id, ...fields }, { reason });
        printResult(`announcement ${id} changed`);
      },
    ),
  );
}

function remove(): Command {
  return changing('remove', 'remove an announcement')
    .argument('<id>', 'ID as shown by list', wholeNumber)
    .action((id: number, options: Change) =>
      withAnnouncements(
        { ...options, missing: `there is no announcement ${id}` },
        async (announcements, actor) => {
          await announcements.remove(actor, id, options);
          printResult(`announcement ${id} removed`);
        },
      ),
    );
}

function withFields(changes: Command): Command {
  const language = orNone(oneOf(announcementLanguages));
  return changes
    .option('--kind <kind>', 'notice or news', oneOf(announcementKinds))
    .option('--pinned', 'list these news first')
    .option('--no-pinned', 'list them by time again')
    .option('--summary <text>', 'one line that lists show, for news')
    .option('--body <text>', 'plain text; line breaks are kept. News: Markdown')
    .option('--level <level>', 'info or warning', oneOf(announcementLevels))
    .option('--language <tag>', 'show it only to readers of zh-CN or en', language)
    .option('--from <time>', 'when it starts: a time, or 7d, 12h, 30m from now', momentOrNone)
    .option('--until <time>', 'when it ends, written the same way', momentOrNone);
}

/** Returns the options that are set, with null for `none`. */
function given<T extends object>(fields: T) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, value === NONE ? null : value])) as {
    [K in keyof T]: Exclude<T[K], typeof NONE | undefined> | (typeof NONE extends T[K] ? null : never);
  };
}

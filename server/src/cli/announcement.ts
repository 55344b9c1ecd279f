import {
  type AnnouncementKind,
  type AnnouncementLanguage,
  type AnnouncementLevel,
  announcementKinds,
  announcementLanguages,
  announcementLevels,
} from '@gatehouse/contract';
import { type Command, InvalidArgumentError } from 'commander';
import { openAnnouncementAdmin } from '../features/announcements/admin/module.ts';
import { cliActor } from './actor.ts';
import {
  type Change,
  changing,
  command,
  nonEmpty,
  type Options,
  oneOf,
  wholeNumber,
  withDatabase,
} from './context.ts';
import { print, printLine, printResult } from './output.ts';
import { readable } from './readable-refusal.ts';
import { moment, time } from './time.ts';

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

/** Represents null, which Commander would turn into an empty string. */
const NONE = 'none';

export function announcementCommand(): Command {
  return command('announcement').addCommand(list()).addCommand(add()).addCommand(set()).addCommand(remove());
}

function list(): Command {
  return command('list', 'list announcements, newest first, including ended ones')
    .option('--limit <number>', 'maximum number of rows', wholeNumber, 50)
    .action((options: Options & { json?: boolean; limit: number }) =>
      withDatabase(options, async (db) => {
        const records = await openAnnouncementAdmin({ db }).list({ limit: options.limit });
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
    changing('add', 'add an announcement').requiredOption('--title <text>', 'one line', titleOf),
  ).action((options: Change & Fields & { title: string; json?: boolean }) =>
    withDatabase(options, async (db) => {
      const { title, body = '', level = 'info', language = NONE, from = NONE, until = NONE } = options;
      const { kind = 'notice', pinned = false, summary = '' } = options;
      const fields = { title, body, level, kind, pinned, summary, ...given({ language, from, until }) };
      const { id } = await readable(openAnnouncementAdmin({ db }).add(cliActor(), fields, options));
      printLine(options.json ? JSON.stringify({ id }) : `announcement ${id} added`);
    }),
  );
}

function set(): Command {
  return withFields(
    changing('set', 'change the given fields; `none` removes a language, start or end').option(
      '--title <text>',
      'one line',
      titleOf,
    ),
  )
    .argument('<id>', 'ID as shown by list', wholeNumber)
    .action((id: number, options: Change & Fields) =>
      withDatabase(options, async (db) => {
        const { config: _, reason, language, from, until, ...rest } = options;
        const fields = { ...rest, ...given({ language, from, until }) };
        const change = openAnnouncementAdmin({ db }).set(cliActor(), { id, ...fields }, { reason });
        await readable(change, `there is no announcement ${id}`);
        printResult(`announcement ${id} changed`);
      }),
    );
}

function remove(): Command {
  return changing('remove', 'remove an announcement')
    .argument('<id>', 'ID as shown by list', wholeNumber)
    .action((id: number, options: Change) =>
      withDatabase(options, async (db) => {
        const change = openAnnouncementAdmin({ db }).remove(cliActor(), id, options);
        await readable(change, `there is no announcement ${id}`);
        printResult(`announcement ${id} removed`);
      }),
    );
}

function withFields(changes: Command): Command {
  const language = orNone(oneOf(announcementLanguages));
  return changes
    .option('--kind <kind>', 'notice or news', oneOf(announcementKinds))
    .option('--pinned', 'list these news first')
    .option('--no-pinned', 'list them by time again')
    .option('--summary <text>', 'one line that lists show, for news', summaryOf)
    .option('--body <text>', 'plain text; line breaks are kept. News: Markdown')
    .option('--level <level>', 'info or warning', oneOf(announcementLevels))
    .option('--language <tag>', 'show it only to readers of zh-CN or en', language)
    .option('--from <time>', 'when it starts: a time, or 7d, 12h, 30m from now', orNone(moment))
    .option('--until <time>', 'when it ends, written the same way', orNone(moment));
}

const MAX_TITLE = 100;

function titleOf(text: string): string {
  if (text.length > MAX_TITLE) throw new InvalidArgumentError(`must have at most ${MAX_TITLE} characters.`);
  return nonEmpty(text);
}

const MAX_SUMMARY = 200;

function summaryOf(text: string): string {
  if (text.length > MAX_SUMMARY)
    throw new InvalidArgumentError(`must have at most ${MAX_SUMMARY} characters.`);
  return text;
}

const orNone =
  <T>(parse: (text: string) => T) =>
  (text: string): T | typeof NONE =>
    text === NONE ? NONE : parse(text);

/** Returns the options that are set, with null for `none`. */
function given<T extends object>(fields: T) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, value === NONE ? null : value])) as {
    [K in keyof T]: Exclude<T[K], typeof NONE | undefined> | (typeof NONE extends T[K] ? null : never);
  };
}

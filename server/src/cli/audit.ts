import { type AuditAction, auditActions } from '@gatehouse/contract/admin';
import { type Command, InvalidArgumentError } from 'commander';
import type { Db } from '../db/open.ts';
import { openPlayerAdmin } from '../features/account/admin/module.ts';
import { openAuditAdmin } from '../features/audit/admin/module.ts';
import type { AuditRecord } from '../features/audit/entry.ts';
import type { Settings } from '../settings/schema.ts';
import { command, type Options, oneOf, wholeNumber, withDatabase } from './context.ts';
import { print } from './output.ts';
import { pastMoment, time } from './time.ts';

interface Subject {
  readonly kind: string;
  readonly id: string;
}

interface AuditOptions extends Options {
  readonly actor?: string;
  readonly action?: AuditAction;
  readonly subject?: Subject;
  readonly zone?: number;
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
}

export function auditCommand(): Command {
  return command('audit').addCommand(list());
}

function list(): Command {
  return command('list', 'list audit records, newest first')
    .option('--actor <name>', 'only this operator')
    .option('--action <action>', 'only this action, such as player.ban', oneOf(auditActions))
    .option('--subject <kind:id>', 'only this subject, such as player:17, player:NAME or zone:1', subjectOf)
    .option('--zone <id>', 'only this zone', wholeNumber)
    .option('--from <time>', 'since a time, or in the last 7d, 12h, 30m', pastMoment)
    .option('--to <time>', 'before a time, or more than 7d, 12h, 30m ago', pastMoment)
    .option('--limit <number>', 'maximum number of rows', wholeNumber, 50)
    .action((options: AuditOptions) =>
      withDatabase(options, async (db, settings) => {
        const { actor, action, zone: serverId, from, to, limit } = options;
        const subject = options.subject && (await withPlayerId(options.subject, db, settings));
        const of = { subjectKind: subject?.kind, subjectId: subject?.id };
        const filter = { actor, action, ...of, serverId, from, to, limit };
        const records = await openAuditAdmin({ db }).list(filter);
        print(options.json ? records.map(columnsOf) : records.map(lineOf), {
          ...options,
          empty: 'no record matches',
        });
      }),
    );
}

/** Resolves an account name to its player's id, because audit rows name players by id. */
async function withPlayerId(subject: Subject, db: Db, settings: Settings): Promise<Subject> {
  if (subject.kind !== 'player') return subject;
  const player = await openPlayerAdmin({ db, settings }).show(subject.id);
  return player ? { ...subject, id: String(player.id) } : subject;
}

function subjectOf(text: string): Subject {
  const [, kind, id] = /^([a-z_]+):(.+)$/s.exec(text) ?? [];
  if (kind === undefined || id === undefined)
    throw new InvalidArgumentError('must be a kind and an id, such as player:17.');
  return { kind, id };
}

/** Returns every column, for scripts. */
const columnsOf = (record: AuditRecord) => ({ ...record, at: time(record.at) });

/** Returns what fits on a line, for people. */
function lineOf(record: AuditRecord) {
  return {
    at: time(record.at),
    actor: record.actor,
    via: record.via,
    action: record.action,
    subject: record.subject_kind === null ? null : `${record.subject_kind}:${record.subject_id ?? ''}`,
    reason: record.reason,
    before: record.before && JSON.stringify(record.before),
    after: record.after && JSON.stringify(record.after),
  };
}

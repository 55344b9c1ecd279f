import { type AuditAction, auditActions } from '@gatehouse/contract/admin';
import { type Command, InvalidArgumentError } from 'commander';
import { openAuditAdmin } from '../features/audit/admin/module.ts';
import type { AuditRecord } from '../features/audit/entry.ts';
import { command, type Options, oneOf, wholeNumber, withDatabase } from './context.ts';
import { print } from './output.ts';
import { pastMoment, time } from './time.ts';

interface AuditOptions extends Options {
  readonly json?: boolean;
  readonly actor?: string;
  readonly action?: AuditAction;
  readonly subject?: { readonly kind: string; readonly id: string };
  readonly zone?: number;
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
}

export function auditCommand(): Command {
  return command('audit').addCommand(list());
}

function list(): Command {
  return command('list', 'newest first')
    .option('--actor <name>', 'of one operator')
    .option('--action <action>', 'of one kind, such as player.ban', oneOf(auditActions))
    .option('--subject <kind:id>', 'to one thing, such as player:17 or zone:1', subjectOf)
    .option('--zone <id>', 'of one zone', wholeNumber)
    .option('--from <time>', 'from a time on, or the last 7d, 12h, 30m', pastMoment)
    .option('--to <time>', 'before a time, or before the last 7d, 12h, 30m', pastMoment)
    .option('--limit <number>', 'how many', wholeNumber, 50)
    .action((options: AuditOptions) =>
      withDatabase(options, async (db) => {
        const { actor, action, subject, zone: serverId, from, to, limit } = options;
        const of = { subjectKind: subject?.kind, subjectId: subject?.id };
        const filter = { actor, action, ...of, serverId, from, to, limit };
        const { records } = await openAuditAdmin({ db }).list(filter);
        print(options.json ? records.map(columnsOf) : records.map(lineOf), {
          ...options,
          empty: 'no record matches',
        });
      }),
    );
}

function subjectOf(text: string): { kind: string; id: string } {
  const [, kind, id] = /^([a-z_]+):(.+)$/s.exec(text) ?? [];
  if (kind === undefined || id === undefined)
    throw new InvalidArgumentError('must be a kind and an id, such as player:17.');
  return { kind, id };
}

/** Every column, for scripts. */
function columnsOf(record: AuditRecord) {
  return {
    id: record.id,
    at: time(record.at),
    actor: record.actor,
    via: record.via,
    action: record.action,
    subject_kind: record.subjectKind,
    subject_id: record.subjectId,
    server_id: record.serverId,
    reason: record.reason,
    before: record.before,
    after: record.after,
    ip: record.ip,
    request_id: record.requestId,
  };
}

/** What fits a line, for people. */
function lineOf(record: AuditRecord) {
  return {
    at: time(record.at),
    actor: record.actor,
    via: record.via,
    action: record.action,
    subject: record.subjectKind === null ? null : `${record.subjectKind}:${record.subjectId ?? ''}`,
    reason: record.reason,
    before: record.before && JSON.stringify(record.before),
    after: record.after && JSON.stringify(record.after),
  };
}

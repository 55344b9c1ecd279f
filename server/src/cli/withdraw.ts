import { type WithdrawState, withdrawStates } from '@gatehouse/contract';
import type { Command } from 'commander';
import { openWithdrawAdmin, type WithdrawAdmin } from '../features/withdraw/admin/module.ts';
import type { Withdrawal } from '../features/withdraw/withdrawal.ts';
import { Refusal } from '../refusal.ts';
import { maskUrl } from '../security/masking.ts';
import { fixedSettings } from '../settings/live.ts';
import { command, nonEmpty, type Options, oneOf, wholeNumber } from './context.ts';
import { NotFound } from './failure.ts';
import { operate } from './operate.ts';
import { print, printLine, printRecord, printResult } from './output.ts';
import { pastMoment, time } from './time.ts';
import { zoneFields } from './zone-fields.ts';

export function withdrawCommand(): Command {
  return command('withdraw')
    .addCommand(list())
    .addCommand(show())
    .addCommand(settle())
    .addCommand(repoint())
    .addCommand(reconcileAll())
    .addCommand(restored());
}

const withWithdrawals = operate((db, settings) =>
  openWithdrawAdmin({ db, settings: fixedSettings(settings), log }),
);

interface ListOptions extends Options {
  readonly state?: readonly WithdrawState[];
  readonly server?: number;
  readonly account?: string;
  readonly role?: string;
  readonly since?: number;
  readonly until?: number;
  readonly limit: number;
}

const stateOf = oneOf(withdrawStates);
const states = (text: string, before: readonly WithdrawState[] = []) => [
  ...new Set([...before, ...text.split(',').map((each) => stateOf(each.trim()))]),
];

function list(): Command {
  return command('list', 'list withdrawals, newest first')
    .option('--state <states>', `one or more, comma separated: ${withdrawStates.join(', ')}`, states)
    .option('--server <id>', 'only this zone', wholeNumber)
    .option('--account <account>', 'only this account')
    .option('--role <role>', 'only this role, by name')
    .option('--since <time>', 'since a time, or in the last 7d, 12h, 30m', pastMoment)
    .option('--until <time>', 'before a time, or more than 7d, 12h, 30m ago', pastMoment)
    .option('--limit <number>', 'maximum number of rows', wholeNumber, 50)
    .action((options: ListOptions) =>
      withWithdrawals(options, async (withdrawals) => {
        const { state, server, account, role, since: from, until: to, limit } = options;
        const zones = server === undefined ? undefined : [server];
        const filter = { states: state, zones, account, role, from, to };
        const found = await withdrawals.list(filter, { limit: limit + 1 });
        const rows = found.slice(0, limit).map((each) => ({ ...recordOf(each), account: each.account }));
        print(rows, { ...options, empty: 'no withdrawal matches' });
        if (found.length > limit && !options.json)
          printLine(`only the newest ${limit} are shown; show more with --limit`);
      }),
    );
}

function recordOf(withdrawal: Withdrawal) {
  return {
    id: withdrawal.id,
    state: withdrawal.state,
    server_id: withdrawal.serverId,
    role: withdrawal.roleName ?? withdrawal.role,
    role_id: withdrawal.roleId,
    amount: withdrawal.amount,
    result: withdrawal.resultCode,
    balance_before: withdrawal.balanceBefore,
    created_at: time(withdrawal.createdAt),
    updated_at: time(withdrawal.updatedAt),
  };
}

/** Returns the id of the only withdrawal with this prefix. */
async function idOf(withdrawals: WithdrawAdmin, prefix: string): Promise<string> {
  const [id, another] = await withdrawals.byPrefix(prefix, 2);
  if (id === undefined) throw new NotFound(`there is no withdrawal ${prefix}`);
  if (id !== prefix && another !== undefined)
    throw new Error(`several withdrawals start with ${prefix}, for example ${id} and ${another}`);
  return id;
}

function show(): Command {
  return command('show', 'show a withdrawal and its history')
    .argument('<id>', 'withdrawal ID or its first characters')
    .action((prefix: string, options: Options) =>
      withWithdrawals(options, async (withdrawals) => {
        const shown = await withdrawals.show({ id: await idOf(withdrawals, prefix) });
        const { withdrawal } = shown;
        const { proposed } = withdrawal;
        const record = {
          ...recordOf(withdrawal),
          player_id: withdrawal.playerId,
          account: withdrawal.account,
          ...(proposed && { proposed: proposed.state, proposed_by: proposed.by }),
        };
        const events = shown.events.map(({ from, to, detail, at, ...event }) => ({
          seq: event.seq,
          from_state: from,
          to_state: to,
          why: event.why,
          actor: event.actor,
          detail: detail === null ? null : JSON.stringify(detail),
          at: time(at),
        }));
        if (options.json) return printLine(JSON.stringify({ ...record, events }, null, 2));
        printRecord(record);
        printLine('');
        print(events);
      }),
    );
}

function settle(): Command {
  return command('settle', 'settle an unknown withdrawal after checking the game; this cannot be undone')
    .argument('<id>', 'withdrawal ID or its first characters')
    .requiredOption(
      '--state <state>',
      'done: the game took the amount; failed: it did not',
      oneOf(['done', 'failed']),
    )
    .requiredOption('--reason <text>', 'how you know; recorded with the withdrawal', nonEmpty)
    .action((prefix: string, options: Options & { state: 'done' | 'failed'; reason: string }) =>
      withWithdrawals(options, async (withdrawals, actor) => {
        const { state: wanted, reason } = options;
        const id = await idOf(withdrawals, prefix);
        const settled = withdrawals.settle(actor, { id, state: wanted, reason });
        const { state, proposed } = await settled.catch((error) => explain(error));
        printResult(
          proposed
            ? `proposed: withdrawal ${id} is ${proposed.state}; another operator must agree`
            : `withdrawal ${id} is ${state}`,
          { id, state, ...(proposed && { proposed: proposed.state }) },
        );

        async function explain(error: unknown): Promise<never> {
          const isOver = error instanceof Refusal && /^withdraw_(settled|in_progress)$/.test(error.code);
          if (!isOver) throw error;
          const { withdrawal } = await withdrawals.show({ id });
          throw new Error(`withdrawal ${id} is ${withdrawal.state}; only an unknown one can be settled`);
        }
      }),
    );
}

function repoint(): Command {
  return command(
    'repoint',
    'query another GM interface about an unknown withdrawal, for example after a move',
  )
    .argument('<id>', 'withdrawal ID or its first characters')
    .requiredOption('--gm-url <url>', 'the GM interface to query from now on', zoneFields['gm-url'])
    .requiredOption('--reason <text>', 'why; recorded with the withdrawal', nonEmpty)
    .action((prefix: string, { gmUrl, reason, ...options }: Options & { gmUrl: string; reason: string }) =>
      withWithdrawals(options, async (withdrawals, actor) => {
        const id = await idOf(withdrawals, prefix);
        await withdrawals.repoint(actor, { id, gmUrl, reason });
        printResult(`withdrawal ${id} is now queried at ${maskUrl(gmUrl)}`, { id, gm_url: maskUrl(gmUrl) });
      }),
    );
}

function reconcileAll(): Command {
  return command(
    'reconcile',
    'query the zones about unknown withdrawals, then compare the database with theirs',
  )
    .option('--since <time>', 'since a time, or in the last 7d, 12h, 30m; default 1d', pastMoment)
    .action((options: Options & { since?: number }) =>
      withWithdrawals(options, async (withdrawals, actor) => {
        const lines = await withdrawals.reconcile(actor, { since: options.since ?? pastMoment('1d') });
        print(lines, { ...options, empty: 'no withdrawals in this period' });
      }),
    );
}

function restored(): Command {
  return command(
    'restored',
    'after restoring a backup, before the service starts: set withdrawals that were open to unknown',
  )
    .requiredOption('--reason <text>', 'why; recorded with the withdrawal', nonEmpty)
    .action(({ reason, ...options }: Options & { reason: string }) =>
      withWithdrawals(options, async (withdrawals, actor) => {
        const { marked, compareFrom } = await withdrawals.markRestored(actor, { reason });
        const from = compareFrom === undefined ? null : time(compareFrom);
        const fields = { marked, compare_from: from };
        printResult(
          `${marked.length} withdrawals were open when the backup was made and are unknown now`,
          fields,
        );
        if (options.json) return;
        printLine(
          from === null
            ? 'there are no withdrawals here: look up every order in the GM logs of all zones'
            : `look up the orders since ${from} in the GM logs of all zones: later withdrawals may be missing here`,
        );
      }),
    );
}

const log = {
  warn: (fields: object, message: string) =>
    void process.stderr.write(`${message} ${JSON.stringify(fields, readable)}\n`),
};

const readable = (_key: string, value: unknown) => (value instanceof Error ? value.message : value);

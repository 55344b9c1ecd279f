import { withdrawStates } from '@gatehouse/contract';
import type { Command } from 'commander';
import { openWithdrawAdmin } from '../features/withdraw/admin/module.ts';
import type { WithdrawFilter } from '../features/withdraw/store/report-store.ts';
import type { Withdrawal } from '../features/withdraw/withdrawal.ts';
import { cliActor } from './actor.ts';
import {
  command,
  listing,
  nonEmpty,
  type Options,
  oneOf,
  pastMoment,
  wholeNumber,
  withDatabase,
} from './context.ts';
import { print, say, time } from './output.ts';

export function withdrawCommand(): Command {
  return command('withdraw', 'withdrawals')
    .addCommand(list())
    .addCommand(show())
    .addCommand(resolve())
    .addCommand(reconcileAll());
}

type Withdrawals = ReturnType<typeof openWithdrawAdmin>;

const withWithdrawals = (options: Options, work: (withdrawals: Withdrawals) => Promise<void>) =>
  withDatabase(options, (db, settings) => work(openWithdrawAdmin({ db, settings, log })));

interface ListOptions extends Options {
  readonly json?: boolean;
  readonly state?: Withdrawal['state'];
  readonly server?: number;
  readonly account?: string;
  readonly role?: string;
  readonly since?: number;
  readonly limit: number;
}

function list(): Command {
  return listing('list', 'newest first')
    .option('--state <state>', withdrawStates.join(', '), oneOf(withdrawStates))
    .option('--server <id>', 'of one zone', wholeNumber)
    .option('--account <account>', 'of one account')
    .option('--role <role>', 'of one role, by name')
    .option('--since <time>', 'from a time on, or the last 7d, 12h, 30m', pastMoment)
    .option('--limit <number>', 'how many', wholeNumber, 50)
    .action((options: ListOptions) =>
      withWithdrawals(options, async (withdrawals) => {
        const { state, server: serverId, account, role, since, limit } = options;
        const filter = Object.fromEntries(
          Object.entries({ state, serverId, account, role, since, limit }).filter(
            ([, value]) => value !== undefined,
          ),
        );
        const found = await withdrawals.list(filter as unknown as WithdrawFilter);
        const rows = found.map((each) => ({ ...recordOf(each), account: each.account }));
        print(rows, { ...options, empty: 'no withdrawal matches' });
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

function show(): Command {
  return listing('show', 'one withdrawal and everything that happened to it')
    .argument('<id>')
    .action((id: string, options: Options & { json?: boolean }) =>
      withWithdrawals(options, async (withdrawals) => {
        const withdrawal = await withdrawals.find(id);
        if (!withdrawal) throw unknownId(id);
        const events = (await withdrawals.eventsOf(id)).map(({ withdraw_id: _, ...event }) => ({
          ...event,
          at: time(event.at),
        }));
        const record = { ...recordOf(withdrawal), player_id: withdrawal.playerId };
        if (options.json) return say(JSON.stringify({ ...record, events }, null, 2));
        const fields = Object.entries(record).map(([field, value]) => ({ field, value }));
        print(fields, {});
        say('');
        print(events, {});
      }),
    );
}

function resolve(): Command {
  return listing('resolve', 'settle an unknown withdrawal, once, after looking into the game')
    .argument('<id>')
    .requiredOption('--state <state>', 'done: it was taken; failed: it was not', oneOf(['done', 'failed']))
    .requiredOption('--reason <text>', 'how you know; kept with the withdrawal', nonEmpty)
    .action((id: string, options: Options & { json?: boolean; state: 'done' | 'failed'; reason: string }) =>
      withWithdrawals(options, async (withdrawals) => {
        const { state, reason } = options;
        const outcome = await withdrawals.resolve(cliActor(), { id, state, reason });
        if (outcome === 'no such withdrawal') throw unknownId(id);
        if (outcome !== 'resolved')
          throw new Error(`withdrawal ${id} is ${outcome}; only an unknown one can be resolved`);
        say(options.json ? JSON.stringify({ id, state }) : `withdrawal ${id} is ${state}`);
      }),
    );
}

interface ReconcileOptions extends Options {
  readonly json?: boolean;
  readonly since: number;
}

function reconcileAll(): Command {
  return listing(
    'reconcile',
    'ask the zones about unknown withdrawals, then compare the database with theirs',
  )
    .option('--since <time>', 'from a time on, or the last 7d, 12h, 30m', pastMoment, pastMoment('1d'))
    .action((options: ReconcileOptions) =>
      withWithdrawals(options, async (withdrawals) => {
        const lines = await withdrawals.reconcile(cliActor(), { since: options.since });
        print(
          lines.map((line) => ({ ...line })),
          { ...options, empty: 'no withdrawals in this time' },
        );
      }),
    );
}

const log = {
  warn: (fields: object, message: string) =>
    void process.stderr.write(`${message} ${JSON.stringify(fields, readable)}\n`),
};

const readable = (_key: string, value: unknown) => (value instanceof Error ? value.message : value);

const unknownId = (id: string) => new Error(`there is no withdrawal ${id}`);

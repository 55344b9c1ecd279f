import { type WithdrawState, withdrawStates } from '@gatehouse/contract';
import type { Command } from 'commander';
import { openWithdrawAdmin, type WithdrawAdmin } from '../features/withdraw/admin/module.ts';
import type { Withdrawal } from '../features/withdraw/withdrawal.ts';
import { Refusal } from '../refusal.ts';
import { maskUrl } from '../security/mask-url.ts';
import { fixedSettings } from '../settings/live.ts';
import { cliActor } from './actor.ts';
import { command, nonEmpty, type Options, oneOf, wholeNumber, withDatabase } from './context.ts';
import { NotFound } from './failure.ts';
import { print, printLine, printResult } from './output.ts';
import { readable as readableRefusal } from './readable-refusal.ts';
import { pastMoment, time } from './time.ts';
import { zoneFields } from './zone-fields.ts';

export function withdrawCommand(): Command {
  return command('withdraw')
    .addCommand(list())
    .addCommand(show())
    .addCommand(resolve())
    .addCommand(repoint())
    .addCommand(reconcileAll());
}

const withWithdrawals = (options: Options, work: (withdrawals: WithdrawAdmin) => Promise<void>) =>
  withDatabase(options, (db, settings) =>
    work(openWithdrawAdmin({ db, settings: fixedSettings(settings), log })),
  );

interface ListOptions extends Options {
  readonly json?: boolean;
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
  return command('list', 'newest first')
    .option('--state <states>', `several comma separated: ${withdrawStates.join(', ')}`, states)
    .option('--server <id>', 'of one zone', wholeNumber)
    .option('--account <account>', 'of one account')
    .option('--role <role>', 'of one role, by name')
    .option('--since <time>', 'from a time on, or the last 7d, 12h, 30m', pastMoment)
    .option('--until <time>', 'before a time, or before the last 7d, 12h, 30m', pastMoment)
    .option('--limit <number>', 'how many', wholeNumber, 50)
    .action((options: ListOptions) =>
      withWithdrawals(options, async (withdrawals) => {
        const { state, server, account, role, since: from, until: to, limit } = options;
        const zones = server === undefined ? undefined : [server];
        const filter = { states: state, zones, account, role, from, to };
        const found = await withdrawals.list(filter, { limit: limit + 1 });
        const rows = found.slice(0, limit).map((each) => ({ ...recordOf(each), account: each.account }));
        print(rows, { ...options, empty: 'no withdrawal matches' });
        if (found.length > limit && !options.json)
          printLine(`the newest ${limit} of more; see them with --limit`);
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
    throw new Error(`several withdrawals begin with ${prefix}, such as ${id} and ${another}`);
  return id;
}

function show(): Command {
  return command('show', 'one withdrawal and everything that happened to it')
    .argument('<id>', 'or its beginning')
    .action((prefix: string, options: Options & { json?: boolean }) =>
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
        const fields = Object.entries(record).map(([field, value]) => ({ field, value }));
        print(fields, {});
        printLine('');
        print(events, {});
      }),
    );
}

interface ResolveOptions extends Options {
  readonly json?: boolean;
  readonly state: 'done' | 'failed';
  readonly reason: string;
}

function resolve(): Command {
  return command('resolve', 'settle an unknown withdrawal, once, after looking into the game')
    .argument('<id>', 'or its beginning')
    .requiredOption('--state <state>', 'done: it was taken; failed: it was not', oneOf(['done', 'failed']))
    .requiredOption('--reason <text>', 'how you know; kept with the withdrawal', nonEmpty)
    .action((prefix: string, options: ResolveOptions) =>
      withWithdrawals(options, async (withdrawals) => {
        const { state: wanted, reason } = options;
        const id = await idOf(withdrawals, prefix);
        const settled = withdrawals.settle(cliActor(), { id, state: wanted, reason });
        const { state, proposed } = await readableRefusal(settled.catch((error) => explain(error)));
        if (options.json)
          return printLine(JSON.stringify({ id, state, ...(proposed && { proposed: proposed.state }) }));
        printLine(
          proposed
            ? `withdrawal ${id} is proposed to be ${proposed.state}; another operator has to say the same`
            : `withdrawal ${id} is ${state}`,
        );

        async function explain(error: unknown): Promise<never> {
          const isOver = error instanceof Refusal && /^withdraw_(settled|in_progress)$/.test(error.code);
          if (!isOver) throw error;
          const { withdrawal } = await withdrawals.show({ id });
          throw new Error(`withdrawal ${id} is ${withdrawal.state}; only an unknown one can be resolved`);
        }
      }),
    );
}

interface RepointOptions extends Options {
  readonly gmUrl: string;
  readonly reason: string;
}

function repoint(): Command {
  return command('repoint', 'ask another GM interface about an unknown withdrawal, for example after a move')
    .argument('<id>', 'or its beginning')
    .requiredOption('--gm-url <url>', 'where the game is asked from now on', zoneFields['gm-url'])
    .requiredOption('--reason <text>', 'why; kept with the withdrawal', nonEmpty)
    .action((prefix: string, { gmUrl, reason, ...options }: RepointOptions) =>
      withWithdrawals(options, async (withdrawals) => {
        const id = await idOf(withdrawals, prefix);
        await readableRefusal(withdrawals.repoint(cliActor(), { id, gmUrl, reason }));
        printResult(`withdrawal ${id} is asked about at ${maskUrl(gmUrl)}`, { id, gm_url: maskUrl(gmUrl) });
      }),
    );
}

interface ReconcileOptions extends Options {
  readonly json?: boolean;
  readonly since?: number;
}

function reconcileAll(): Command {
  return command(
    'reconcile',
    'ask the zones about unknown withdrawals, then compare the database with theirs',
  )
    .option('--since <time>', 'from a time on, or the last 7d, 12h, 30m; 1d if left out', pastMoment)
    .action((options: ReconcileOptions) =>
      withWithdrawals(options, async (withdrawals) => {
        const lines = await withdrawals.reconcile(cliActor(), { since: options.since ?? pastMoment('1d') });
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

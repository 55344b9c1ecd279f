import type { Command } from 'commander';
import { openPromoterAdmin, type PromoterAdmin } from '../features/promoters/admin/module.ts';
import { openStatsAdmin } from '../features/stats/admin/module.ts';
import { cliActor } from './actor.ts';
import {
  type Change,
  changing,
  command,
  listing,
  nonEmpty,
  type Options,
  pastMoment,
  withDatabase,
} from './context.ts';
import { print, say, time } from './output.ts';
import { readable } from './readable-refusal.ts';

const MAX_LISTED = 1000;

export function agentCommand(): Command {
  return command('agent', 'promoters').addCommand(list()).addCommand(add()).addCommand(close());
}

interface ListOptions extends Options {
  readonly json?: boolean;
  readonly from?: number;
  readonly to?: number;
}

function list(): Command {
  return listing('list', 'all promoters; with --from or --to also what became of their players')
    .option('--from <time>', 'players who registered from a time on, or in the last 7d, 12h, 30m', pastMoment)
    .option('--to <time>', 'and before a time', pastMoment)
    .action((options: ListOptions) =>
      withPromoters(options, async (promoters) => {
        const { from = 0, to = Date.now() } = options;
        const wantsFigures = options.from !== undefined || options.to !== undefined;
        const agents = wantsFigures
          ? await promoters.page(
              { span: { from, to }, zones: null },
              { before: undefined, limit: MAX_LISTED },
            )
          : (await promoters.list()).map((agent) => ({ ...agent, created_at: time(agent.created_at) }));
        print(agents, { ...options, empty: 'no promoters yet' });
      }),
    );
}

function add(): Command {
  return changing('add', 'add a promoter')
    .option('--json', 'as JSON')
    .argument('<name>', 'name of the promoter', nonEmpty)
    .action((name: string, options: Change & { json?: boolean }) =>
      withPromoters(options, async (promoters) => {
        const { agentId } = await promoters.add(cliActor(), { name, reason: options.reason });
        say(
          options.json
            ? JSON.stringify({ agent_id: agentId, name })
            : `promoter ${agentId} added; link players to /login?agent_id=${agentId}`,
        );
      }),
    );
}

function close(): Command {
  return changing('close', 'stop counting registrations for a promoter')
    .argument('<id>', 'promoter id')
    .action((id: string, options: Change) =>
      withPromoters(options, async (promoters) => {
        const change = { agentId: Number(id), status: 'closed', reason: options.reason } as const;
        await promoters.set(cliActor(), change);
        say(`promoter ${id} closed`);
      }),
    );
}

function withPromoters(options: Options, work: (promoters: PromoterAdmin) => Promise<void>): Promise<void> {
  return withDatabase(options, (db, settings) => {
    const figuresOf = openStatsAdmin({ db, settings }).figuresOfPromoter;
    return readable(work(openPromoterAdmin({ db, figuresOf })));
  });
}

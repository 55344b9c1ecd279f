import type { Command } from 'commander';
import { openPromoterAdmin } from '../features/promoters/admin/module.ts';
import { cliActor } from './actor.ts';
import { type Change, changing, command, listing, nonEmpty, type Options, withDatabase } from './context.ts';
import { print, say, time } from './output.ts';

export function agentCommand(): Command {
  return command('agent', 'promoters').addCommand(list()).addCommand(add()).addCommand(close());
}

function list(): Command {
  return listing('list', 'all promoters').action((options: Options & { json?: boolean }) =>
    withDatabase(options, async (db) => {
      const agents = await openPromoterAdmin({ db }).list();
      print(
        agents.map((agent) => ({ ...agent, created_at: time(agent.created_at) })),
        { ...options, empty: 'no promoters yet' },
      );
    }),
  );
}

function add(): Command {
  return changing('add', 'add a promoter')
    .option('--json', 'as JSON')
    .argument('<name>', 'name of the promoter', nonEmpty)
    .action((name: string, options: Change & { json?: boolean }) =>
      withDatabase(options, async (db) => {
        const agentId = await openPromoterAdmin({ db }).add(cliActor(), { name, reason: options.reason });
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
      withDatabase(options, async (db) => {
        const change = { agentId: Number(id), status: 'closed', reason: options.reason } as const;
        if (!(await openPromoterAdmin({ db }).set(cliActor(), change)))
          throw new Error(`there is no promoter ${id}`);
        say(`promoter ${id} closed`);
      }),
    );
}

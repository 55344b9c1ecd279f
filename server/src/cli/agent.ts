import type { Command } from 'commander';
import { agentStore } from '../features/account/operator-store.ts';
import { type Chosen, command, listing, withDatabase, words } from './context.ts';
import { print, say, time } from './output.ts';

export function agentCommand(): Command {
  return command('agent', 'promoters').addCommand(list()).addCommand(add()).addCommand(close());
}

function list(): Command {
  return listing('list', 'all promoters').action((options: Chosen & { json?: boolean }) =>
    withDatabase(options, async (db) => {
      const agents = await agentStore(db).all();
      print(
        agents.map((agent) => ({ ...agent, created_at: time(agent.created_at) })),
        { ...options, empty: 'no promoters yet' },
      );
    }),
  );
}

function add(): Command {
  return listing('add', 'add a promoter')
    .argument('<name>', 'name of the promoter', words)
    .action((name: string, options: Chosen & { json?: boolean }) =>
      withDatabase(options, async (db) => {
        const agentId = await agentStore(db).add(name);
        say(
          options.json
            ? JSON.stringify({ agent_id: agentId, name })
            : `promoter ${agentId} added; link players to /login?agent_id=${agentId}`,
        );
      }),
    );
}

function close(): Command {
  return command('close', 'stop counting registrations for a promoter')
    .argument('<id>', 'promoter id')
    .action((id: string, options: Chosen) =>
      withDatabase(options, async (db) => {
        if (!(await agentStore(db).close(Number(id)))) throw new Error(`there is no promoter ${id}`);
        say(`promoter ${id} closed`);
      }),
    );
}

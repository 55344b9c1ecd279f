import type { Command } from 'commander';
import { openPromoterAdmin } from '../features/promoters/admin/module.ts';
import { openStatsAdmin } from '../features/stats/admin/module.ts';
import { type Change, changing, command, nonEmpty, type Options, positive } from './context.ts';
import { readCsvRows } from './csv-rows.ts';
import { operate } from './operate.ts';
import { print, printLine, printResult } from './output.ts';
import { pastMoment, time } from './time.ts';

const MAX_LISTED = 1000;

const withPromoters = operate((db, settings) =>
  openPromoterAdmin({ db, figuresOf: openStatsAdmin({ db, settings }).figuresOfPromoter }),
);

export function promoterCommand(): Command {
  return command('promoter')
    .addCommand(list())
    .addCommand(add())
    .addCommand(importList())
    .addCommand(close());
}

function list(): Command {
  return command('list', 'list promoters; with --from or --to also the figures of their players')
    .option('--from <time>', 'players who registered since a time, or in the last 7d, 12h, 30m', pastMoment)
    .option('--to <time>', 'players who registered before a time', pastMoment)
    .action((options: Options & { readonly from?: number; readonly to?: number }) =>
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
    .argument('<name>', 'name of the promoter', nonEmpty)
    .option('--id <id>', 'the ID it had in the previous generation', positive)
    .action((name: string, options: Change & { id?: number }) =>
      withPromoters(options, async (promoters, actor) => {
        const { id, reason } = options;
        const added = await promoters.add(actor, { agentId: id, name, reason });
        if (!added) throw new Error(`promoter ${id} already exists`);
        const { agentId } = added;
        const players = await promoters.playersOf(agentId);
        const carried = players > 0 ? `; ${players} players already have this ID` : '';
        const sentence = `promoter ${agentId} added; its link is /login?agent_id=${agentId}${carried}`;
        printResult(sentence, { agent_id: agentId, name, players });
      }),
    );
}

const COLUMNS = { required: ['agent_id', 'name'], optional: ['status'] };

function importList(): Command {
  return changing('import', 'import the promoters of the previous generation with their IDs')
    .argument('<file>', 'CSV with the columns agent_id, name and optionally status (active, closed)')
    .action((file: string, options: Change) =>
      withPromoters(options, async (promoters, actor) => {
        const wanted = (await readCsvRows(file, COLUMNS)).map(({ line, fields }) => {
          const { agent_id = '', name = '', status = 'active' } = fields;
          if (!/^[1-9]\d{0,9}$/.test(agent_id))
            throw new Error(`${file}, line ${line}: agent_id must be a number of at least 1`);
          if (name === '') throw new Error(`${file}, line ${line}: the name is missing`);
          if (status !== 'active' && status !== 'closed')
            throw new Error(`${file}, line ${line}: status must be active or closed`);
          return { agentId: Number(agent_id), name, status: status as 'active' | 'closed' };
        });
        const kept: number[] = [];
        for (const promoter of wanted)
          if (!(await promoters.add(actor, { ...promoter, reason: options.reason })))
            kept.push(promoter.agentId);
        const added = wanted.length - kept.length;
        if (options.json) return printLine(JSON.stringify({ added, kept }));
        printResult(`${added} promoters added`);
        if (kept.length > 0) printResult(`already present and left unchanged: ${kept.join(', ')}`);
      }),
    );
}

function close(): Command {
  return changing('close', 'stop counting registrations for a promoter')
    .argument('<id>', 'promoter ID')
    .action((id: string, options: Change) =>
      withPromoters(options, async (promoters, actor) => {
        const change = { agentId: Number(id), status: 'closed', reason: options.reason } as const;
        await promoters.set(actor, change);
        printResult(`promoter ${id} closed`);
      }),
    );
}

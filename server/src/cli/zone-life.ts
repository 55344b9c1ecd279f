import { type ZoneStatus, zoneStatuses } from '@gatehouse/contract';
import type { Command } from 'commander';
import { openZoneAdmin } from '../features/zones/admin/module.ts';
import { statusAt } from '../features/zones/zone-cache.ts';
import { type Change, changing, oneOf, wholeNumber } from './context.ts';
import { usage } from './failure.ts';
import { say } from './language.ts';
import { operate } from './operate.ts';
import { printResult } from './output.ts';
import { futureMoment, time } from './time.ts';
import { zoneIds } from './zone-fields.ts';

const withZones = operate((db) => openZoneAdmin({ db }));

export function zoneStatus(): Command {
  return changing('status', 'change the status of several zones; changes all or none')
    .argument('<ids>', 'zones, such as 1,2,5-9', zoneIds)
    .requiredOption('--status <status>', zoneStatuses.join(', '), oneOf(zoneStatuses))
    .option('--message <text>', 'message to players during maintenance')
    .option('--until <time>', 'when the maintenance ends: a time, or 7d, 12h, 30m from now', futureMoment)
    .action(
      (serverIds: number[], options: Change & { status: ZoneStatus; message?: string; until?: number }) =>
        withZones(options, async (zones, actor) => {
          const { status, message, until, reason } = options;
          if (until !== undefined && status !== 'maintenance')
            throw usage('--until is for --status maintenance');
          const order = { serverIds, status, message, until, reason };
          const changed = await zones.setStatus(actor, order);
          const end = until === undefined ? '' : ` until ${time(until)}`;
          printResult(`${changed.length} zones: ${status}${end}`, { server_ids: serverIds, status });
        }),
    );
}

export function zoneMerge(): Command {
  return changing('merge', 'merge a zone into another; players of the first are sent to the second')
    .argument('<id>', 'zone ID', wholeNumber)
    .requiredOption('--into <id>', 'the zone that replaces it', wholeNumber)
    .option('--dry-run', 'only show what would change')
    .action(
      (serverId: number, { into, dryRun, reason, ...options }: Change & { into: number; dryRun?: boolean }) =>
        withZones(options, async (zones, actor) => {
          const order = { serverId, into, dryRun, reason };
          const both = (await zones.list()).filter((zone) => [serverId, into].includes(zone.serverId));
          const { players, withdrawals, openWithdrawals } = await zones.merge(actor, order);
          if (both.every((zone) => !['maintenance', 'closed'].includes(statusAt(zone, Date.now()))))
            process.stderr.write(
              `${say(`gatehouse: warning: zones ${serverId} and ${into} are open. Players can enter while the games are being merged; set both to maintenance first.`)}\n`,
            );
          const touched = `${players} players, ${withdrawals} withdrawals, ${openWithdrawals} of them in progress`;
          printResult(
            dryRun
              ? `would merge zone ${serverId} into ${into}: ${touched}`
              : `zone ${serverId} merged into ${into}: ${touched}`,
            { server_id: serverId, into, dry_run: dryRun === true, players, withdrawals, openWithdrawals },
          );
        }),
    );
}

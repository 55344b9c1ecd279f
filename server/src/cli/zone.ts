import { zoneStatuses } from '@gatehouse/contract';
import { type Command, InvalidArgumentError } from 'commander';
import { openZoneAdmin } from '../features/zones/admin/module.ts';
import type { ZoneFields } from '../features/zones/admin/store.ts';
import { cliActor } from './actor.ts';
import {
  type Change,
  changing,
  command,
  listing,
  moment,
  type Options,
  oneOf,
  wholeNumber,
  withDatabase,
} from './context.ts';
import { print, say, time } from './output.ts';
import { zoneMerge, zoneStatus } from './zone-life.ts';
import { zoneTest } from './zone-test.ts';

interface ZoneOptions extends Change {
  readonly name?: string;
  readonly address?: string;
  readonly port?: number;
  readonly status?: (typeof zoneStatuses)[number];
  readonly sort?: number;
  readonly opens?: number | 'none';
  readonly maintenanceUntil?: number | 'none';
  readonly message?: string;
  readonly gmUrl?: string;
  readonly databaseUrl?: string;
}

export function zoneCommand(): Command {
  return command('zone', 'game zones')
    .addCommand(list())
    .addCommand(add())
    .addCommand(set())
    .addCommand(zoneStatus())
    .addCommand(zoneMerge())
    .addCommand(remove())
    .addCommand(zoneTest());
}

function list(): Command {
  return listing('list', 'all zones, closed ones too').action((options: Options & { json?: boolean }) =>
    withDatabase(options, async (db) => {
      const zones = await openZoneAdmin({ db }).list();
      const rows = zones.map((zone) => ({
        server_id: zone.serverId,
        name: zone.name,
        address: zone.address,
        port: zone.port,
        status: zone.status,
        sort: zone.sort,
        opened_at: time(zone.openedAt),
        maintenance_until: time(zone.maintenanceUntil),
        merged_into: zone.mergedInto,
        message: zone.message,
        gm_url: zone.gmUrl,
      }));
      print(rows, {
        ...options,
        empty: 'no zones yet; add one with: gatehouse zone add 1 --name … --address … --port …',
      });
    }),
  );
}

function withFields(zone: Command): Command {
  return zone
    .option('--status <status>', zoneStatuses.join(', '), oneOf(zoneStatuses))
    .option('--sort <number>', 'place in the list, ascending', wholeNumber)
    .option(
      '--opens <time>',
      'when it opens: a time, or 7d, 12h, 30m from now; none for no such time',
      momentOrNone,
    )
    .option(
      '--maintenance-until <time>',
      'when a maintenance ends by itself; none for no such time',
      momentOrNone,
    )
    .option('--message <text>', 'what players read while it is in maintenance')
    .option('--gm-url <url>', 'its GM command interface')
    .option('--database-url <url>', 'its game database server, where it differs from zones.database_url');
}

function fieldsOf(options: ZoneOptions): ZoneFields {
  const fields: Record<string, unknown> = {
    name: options.name,
    address: options.address,
    port: options.port,
    status: options.status,
    sort: options.sort,
    opened_at: unlessNone(options.opens),
    maintenance_until: unlessNone(options.maintenanceUntil),
    message: options.message,
    gm_url: options.gmUrl,
    database_url: options.databaseUrl,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The library would make an empty text of null. */
const momentOrNone = (text: string) => (text === 'none' ? text : moment(text));

const unlessNone = (given: number | 'none' | undefined) => (given === 'none' ? null : given);

function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port < 1 || port > 65535) throw new InvalidArgumentError('must be from 1 to 65535.');
  return port;
}

function add(): Command {
  return withFields(
    changing('add', 'add a zone')
      .argument('<id>', 'server id', wholeNumber)
      .requiredOption('--name <name>', 'name shown to players')
      .requiredOption('--address <address>', 'address of the game server')
      .requiredOption('--port <port>', 'port of the game server', portNumber),
  ).action((serverId: number, options: ZoneOptions & { name: string; address: string; port: number }) =>
    withDatabase(options, async (db) => {
      const { name, address, port } = options;
      if (serverId < 1) throw new Error('the id must be 1 or more');
      const zone = { ...fieldsOf(options), server_id: serverId, name, address, port };
      const added = await openZoneAdmin({ db }).add(cliActor(), zone, options.reason);
      if (!added)
        throw new Error(`zone ${serverId} exists already; change it with: gatehouse zone set ${serverId} …`);
      say(`zone ${serverId} added`);
    }),
  );
}

function set(): Command {
  return withFields(
    changing('set', 'change a zone')
      .argument('<id>', 'server id', wholeNumber)
      .option('--name <name>', 'name shown to players')
      .option('--address <address>', 'address of the game server')
      .option('--port <port>', 'port of the game server', portNumber),
  ).action((serverId: number, options: ZoneOptions) =>
    withDatabase(options, async (db) => {
      const fields = fieldsOf(options);
      if (Object.keys(fields).length === 0)
        throw new Error('say what to change, for example --status maintenance');
      if (!(await openZoneAdmin({ db }).set(cliActor(), serverId, fields, options.reason)))
        throw new Error(`there is no zone ${serverId}`);
      say(`zone ${serverId} changed`);
    }),
  );
}

function remove(): Command {
  return changing('remove', 'remove a zone')
    .argument('<id>', 'server id', wholeNumber)
    .action((serverId: number, options: Change) =>
      withDatabase(options, async (db) => {
        if (!(await openZoneAdmin({ db }).remove(cliActor(), serverId, options.reason)))
          throw new Error(`there is no zone ${serverId}`);
        say(`zone ${serverId} removed`);
      }),
    );
}

import { zoneStatuses } from '@gatehouse/contract';
import type { Command } from 'commander';
import { openZoneAdmin } from '../features/zones/admin/module.ts';
import type { NewZone, ZoneFields } from '../features/zones/admin/store.ts';
import { Refusal } from '../refusal.ts';
import { type Change, changing, command, type Options, wholeNumber } from './context.ts';
import { readCsvRows } from './csv-rows.ts';
import { usage } from './failure.ts';
import { operate } from './operate.ts';
import { print, printResult } from './output.ts';
import { time } from './time.ts';
import { zoneFields } from './zone-fields.ts';
import { zoneKey } from './zone-key.ts';
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
  readonly gmReceipts?: 'yes' | 'no' | 'default';
  readonly gmSignature?: '1' | '2' | 'default';
}

const withZones = operate((db) => openZoneAdmin({ db }));
const noZone = (serverId: number) => `there is no zone ${serverId}`;

export function zoneCommand(): Command {
  return command('zone')
    .addCommand(list())
    .addCommand(add())
    .addCommand(set())
    .addCommand(zoneStatus())
    .addCommand(zoneMerge())
    .addCommand(remove())
    .addCommand(zoneKey())
    .addCommand(zoneTest());
}

function list(): Command {
  return command('list', 'list all zones, including closed ones').action((options: Options) =>
    withZones(options, async (zones) => {
      const rows = (await zones.list()).map((zone) => ({
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
        gm_failing_since: time(zone.gmFailingSince),
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
    .option('--name <name>', 'name shown to players', zoneFields.name)
    .option('--address <address>', 'address of the game server', zoneFields.address)
    .option('--port <port>', 'port of the game server', zoneFields.port)
    .option('--status <status>', zoneStatuses.join(', '), zoneFields.status)
    .option('--sort <number>', 'position in the list, ascending', zoneFields.sort)
    .option(
      '--opens <time>',
      'when the zone opens: a time, or 7d, 12h, 30m from now; none to remove the time',
      zoneFields.opens,
    )
    .option(
      '--maintenance-until <time>',
      'when the maintenance ends, written the same way; none to remove the time',
      zoneFields['maintenance-until'],
    )
    .option('--message <text>', 'message to players during maintenance', zoneFields.message)
    .option('--gm-url <url>', 'URL of its GM interface', zoneFields['gm-url'])
    .option(
      '--database-url <url>',
      'its game database server, if it differs from zones.database_url',
      zoneFields['database-url'],
    )
    .option(
      '--gm-receipts <choice>',
      'whether the game gives receipts: yes, no or default (as set by gm.receipt_operation)',
      zoneFields['gm-receipts'],
    )
    .option(
      '--gm-signature <version>',
      'signature version of GM commands: 1, 2 or default (as set by gm.signature_version)',
      zoneFields['gm-signature'],
    );
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
    gm_receipts: unlessDefault(options.gmReceipts, (choice) => Number(choice === 'yes')),
    gm_signature_version: unlessDefault(options.gmSignature, Number),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const unlessNone = (given: number | 'none' | undefined) => (given === 'none' ? null : given);

function unlessDefault<T extends string>(given: T | 'default' | undefined, read: (text: T) => number) {
  if (given === undefined) return undefined;
  return given === 'default' ? null : read(given);
}

const REQUIRED = ['name', 'address', 'port'] as const;

function add(): Command {
  return withFields(
    changing('add', 'add a zone, or all zones of a CSV file')
      .argument('[id]', 'zone ID', wholeNumber)
      .option(
        '--file <file>',
        `CSV with the columns server_id, ${Object.keys(zoneFields).map(columnOf).join(', ')}; adds all zones or none`,
      ),
  ).action((serverId: number | undefined, options: ZoneOptions & { file?: string }) =>
    withZones(options, async (admin, actor) => {
      const { file } = options;
      if ((serverId === undefined) === (file === undefined))
        throw usage('specify the zone ID or --file FILE');
      const zones = file === undefined ? [newZone(serverId ?? 0, options)] : await zonesIn(file);
      await admin.add(actor, { zones, reason: options.reason }).catch(explainTaken);
      const ids = zones.map(({ server_id }) => server_id);
      printResult(ids.length === 1 ? `zone ${ids[0]} added` : `${ids.length} zones added`, { added: ids });
    }),
  );
}

function explainTaken(error: unknown): never {
  if (!(error instanceof Refusal) || error.code !== 'already_bound') throw error;
  const { serverId } = error.details.params ?? {};
  throw new Error(`zone ${serverId} already exists; change it with: gatehouse zone set ${serverId} …`);
}

function newZone(serverId: number, options: ZoneOptions): NewZone {
  const { name, address, port } = options;
  if (serverId < 1) throw usage('the id must be 1 or more');
  if (name === undefined || address === undefined || port === undefined)
    throw usage('a zone needs --name, --address and --port');
  return { ...fieldsOf(options), server_id: serverId, name, address, port };
}

const columnOf = (option: string) => option.replaceAll('-', '_');

/** Reads zones from a CSV file. One error rejects all of them. */
async function zonesIn(file: string): Promise<NewZone[]> {
  const names = Object.keys(zoneFields) as (keyof typeof zoneFields)[];
  const optional = names.filter((name) => !REQUIRED.some((each) => each === name)).map(columnOf);
  const columns = { required: ['server_id', ...REQUIRED], optional };
  return (await readCsvRows(file, columns)).map(({ line, fields }) => {
    try {
      const read = names.flatMap((name) => {
        const text = fields[columnOf(name)];
        const option = name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
        return text === undefined ? [] : [[option, zoneFields[name](text)] as const];
      });
      return newZone(wholeNumber(fields.server_id ?? ''), Object.fromEntries(read) as ZoneOptions);
    } catch (error) {
      throw new Error(`${file}, line ${line}: ${(error as Error).message}`);
    }
  });
}

function set(): Command {
  return withFields(changing('set', 'change a zone').argument('<id>', 'zone ID', wholeNumber)).action(
    (serverId: number, options: ZoneOptions) =>
      withZones({ ...options, missing: noZone(serverId) }, async (zones, actor) => {
        const fields = fieldsOf(options);
        if (Object.keys(fields).length === 0)
          throw usage('specify what to change, for example --status maintenance');
        await zones.set(actor, { serverId, fields, reason: options.reason });
        printResult(`zone ${serverId} changed`, { server_id: serverId });
      }),
  );
}

function remove(): Command {
  return changing('remove', 'remove a zone')
    .argument('<id>', 'zone ID', wholeNumber)
    .action((serverId: number, options: Change) =>
      withZones({ ...options, missing: noZone(serverId) }, async (zones, actor) => {
        await zones.remove(actor, { serverId, reason: options.reason });
        printResult(`zone ${serverId} removed`, { server_id: serverId });
      }),
    );
}

import { parseArgs } from 'node:util';
import { startControl } from './control.ts';
import { parseFaultPlan } from './faults.ts';
import type { DuplicatePolicy } from './gm-commands.ts';
import { startZone, type ZoneOptions } from './zone.ts';

const usage = `node simulators/src/zone/main.ts --server-id N --database sqlite:FOLDER|mysql://user:password@host:port
  --gm-port PORT         GM interface (default: a free one)
  --gm-key KEY           demand signed GM commands
  --control-port PORT    control and earn interface (default: a free one)
  --journal FILE         keep the zone's truth in FILE, through crashes
  --save-interval SEC    save balances lazily (default 0: at once)
  --faults PLAN          seed:rate:kinds, as in 7:0.4:drop_after,timeout_before,delay:200
  --duplicates POLICY    deduct_again (default), refuse, same_answer
  --receipts             offer operation 10031`;

const policies: readonly DuplicatePolicy[] = ['deduct_again', 'refuse', 'same_answer'];

function readOptions(): { zone: ZoneOptions; controlPort: number } {
  const { values } = parseArgs({
    options: {
      'server-id': { type: 'string' },
      database: { type: 'string' },
      'gm-port': { type: 'string', default: '0' },
      'gm-key': { type: 'string' },
      'control-port': { type: 'string', default: '0' },
      journal: { type: 'string' },
      'save-interval': { type: 'string', default: '0' },
      faults: { type: 'string' },
      duplicates: { type: 'string', default: 'deduct_again' },
      receipts: { type: 'boolean', default: false },
    },
  });
  if (values['server-id'] === undefined || values.database === undefined)
    throw new Error('--server-id and --database are needed');
  const duplicates = policies.find((policy) => policy === values.duplicates);
  if (!duplicates) throw new Error(`--duplicates is one of ${policies.join(', ')}`);
  return {
    controlPort: whole('control-port', values['control-port']),
    zone: {
      serverId: whole('server-id', values['server-id']),
      database: values.database,
      gmPort: whole('gm-port', values['gm-port']),
      saveInterval: whole('save-interval', values['save-interval']),
      duplicates,
      receipts: values.receipts,
      ...(values['gm-key'] !== undefined && { gmKey: values['gm-key'] }),
      ...(values.journal !== undefined && { journal: values.journal }),
      ...(values.faults !== undefined && { faults: parseFaultPlan(values.faults) }),
    },
  };
}

function whole(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} must be a whole number`);
  return Number(text);
}

async function run(options: { zone: ZoneOptions; controlPort: number }) {
  await using opening = new AsyncDisposableStack();
  const zone = await startZone(options.zone);
  opening.defer(zone.stop);
  const control = await startControl({ zone, port: options.controlPort });
  opening.defer(control.stop);

  const running = opening.move();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => running.disposeAsync().catch(fail));
  // One line for the parent process, which signals readiness.
  console.log(JSON.stringify({ server_id: zone.serverId, gm_url: zone.gmUrl, control_url: control.url }));
}

function fail(error: unknown) {
  console.error(`zone: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

try {
  const options = readOptions();
  run(options).catch(fail);
} catch (error) {
  fail(error);
  console.error(usage);
}

import { join } from 'node:path';
import type { ZoneStatus } from '@gatehouse/contract';
import { startZone, type Zone } from '@gatehouse/simulators/zone';
import { startControl } from '@gatehouse/simulators/zone/control';
import { SAVE_INTERVAL, zonesFolder } from '../settings/settings.ts';

export interface DemoZone {
  readonly serverId: number;
  readonly name: string;
  readonly status: ZoneStatus;
  readonly message?: string;
}

export const demoZones: readonly DemoZone[] = [
  { serverId: 1, name: '玄武门 North Gate', status: 'new' },
  { serverId: 2, name: '朱雀街 South Street', status: 'busy' },
  {
    serverId: 3,
    name: '雁塔 Goose Pagoda',
    status: 'maintenance',
    message: '正在挂灯笼 Hanging the lanterns',
  },
];

export interface RunningZone {
  readonly zone: Zone;
  /** Control interface for injecting faults. */
  readonly controlUrl: string;
}

export interface DemoZones {
  readonly running: readonly RunningZone[];
  find(serverId: number): Zone | undefined;
  /** Same, but undefined while the zone is in maintenance. */
  findPlayable(serverId: number): Zone | undefined;
  stop(): Promise<void>;
}

/** Starts the simulator of every demo zone, including the one in maintenance. */
export async function startZones(options: { folder: string; gmKey: string }): Promise<DemoZones> {
  await using opening = new AsyncDisposableStack();
  const folder = zonesFolder(options.folder);
  const running: RunningZone[] = [];
  for (const { serverId, status } of demoZones) {
    const zone = await startZone({
      serverId,
      database: `sqlite:${folder}`,
      journal: join(folder, `zone-${serverId}.jsonl`),
      saveInterval: SAVE_INTERVAL,
      gmKey: options.gmKey,
      duplicates: 'refuse',
      // The zone without receipts leaves its unknown withdrawals to operators.
      receipts: status !== 'maintenance',
    }).catch((error: Error) => {
      throw new Error(`zone ${serverId} in ${folder} cannot be opened: ${error.message}`);
    });
    opening.defer(zone.stop);
    const control = await startControl({ zone });
    opening.defer(control.stop);
    running.push({ zone, controlUrl: control.url });
  }
  const held = opening.move();
  const find = (serverId: number) => running.find(({ zone }) => zone.serverId === serverId)?.zone;
  const isShut = (id: number) =>
    demoZones.some(({ serverId, status }) => serverId === id && status === 'maintenance');
  return {
    running,
    find,
    findPlayable: (serverId) => (isShut(serverId) ? undefined : find(serverId)),
    stop: () => held.disposeAsync(),
  };
}

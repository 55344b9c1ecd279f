import { setTimeout as sleep } from 'node:timers/promises';
import { faultPlan } from '@gatehouse/simulators/zone/faults';
import type { Gatehouse } from '../../../test-support/gatehouse.ts';
import type { RestartableServer } from '../../../test-support/server.ts';
import { gmFaults } from '../money/world.ts';
import { comeUp, type Deployment } from './deployment.ts';
import type { Parts } from './parts.ts';
import type { Kind } from './timeline.ts';

export interface Stage {
  readonly parts: Parts;
  readonly deployment: Deployment;
  readonly random: () => number;
}

export interface Fault {
  readonly name: string;
  /** Kinds of request that need the broken part itself, and may wait for it. */
  readonly needs: readonly Kind[];
  /** Whether only one thing breaks, so that everything that does not need it must go on. */
  readonly isSingle: boolean;
  /** No request may fail meanwhile: an operator does this in broad daylight. */
  readonly isRoutine?: boolean;
  /** Breaks it, waits, and mends it. */
  strike(stage: Stage): Promise<void>;
}

/** What systemd waits before it starts a service again. */
const RESTART_MS = 1000;

const between = ({ random }: Stage, from: number, to: number) => sleep(from + random() * (to - from));

function oneOf<T>({ random }: Stage, things: readonly T[]): T {
  return things[Math.floor(random() * things.length)] as T;
}

async function killed(stage: Stage, server: RestartableServer): Promise<void> {
  await server.kill();
  await between(stage, 1000, 4000);
  await server.restart();
}

async function frozen(stage: Stage, server: RestartableServer): Promise<void> {
  server.freeze();
  await between(stage, 2000, 5000);
  server.thaw();
}

async function killedService(service: Gatehouse): Promise<void> {
  await service.kill();
  await sleep(RESTART_MS);
  await comeUp(service);
}

/** One part breaks; everything that does not need it must go on. */
function single(name: string, strike: Fault['strike'], needs: readonly Kind[] = []): Fault {
  return { name, needs, isSingle: true, strike };
}

export const faults: readonly Fault[] = [
  single('service killed', (stage) => killedService(oneOf(stage, stage.deployment.services))),
  single('service frozen', (stage) => frozen(stage, oneOf(stage, stage.deployment.services))),
  single('database node killed', (stage) => killed(stage, oneOf(stage, stage.parts.galera.nodes))),
  single('database node frozen', (stage) => frozen(stage, oneOf(stage, stage.parts.galera.nodes))),
  single('Redis master killed', async (stage) => killed(stage, await stage.parts.redis.master())),
  single('Redis master frozen', async (stage) => frozen(stage, await stage.parts.redis.master())),
  single('mail server dead', mailServerDead, ['register']),
  single('mail server hangs', mailServerHangs, ['register']),
  single('game database killed', (stage) => killed(stage, stage.parts.games), ['withdraw']),
  single('game database frozen', (stage) => frozen(stage, stage.parts.games), ['withdraw']),
  single('game server lies', gameServerLies, ['withdraw']),
  single('game server gone', gameServerGone, ['withdraw']),
  { ...single('rolling restart', rollingRestart), isRoutine: true },
  { name: 'whole database killed', needs: [], isSingle: false, strike: wholeDatabaseKilled },
];

async function mailServerDead(stage: Stage): Promise<void> {
  await stage.parts.mail.die();
  await between(stage, 2000, 5000);
  await stage.parts.mail.comeBack();
}

async function mailServerHangs(stage: Stage): Promise<void> {
  stage.parts.mail.hang();
  await between(stage, 2000, 5000);
  await stage.parts.mail.comeBack();
}

async function gameServerLies(stage: Stage): Promise<void> {
  const { zones } = stage.parts;
  for (const zone of zones)
    zone.setFaults(faultPlan({ seed: Math.floor(stage.random() * 1e9), rate: 0.7, kinds: gmFaults }));
  await between(stage, 3000, 6000);
  for (const zone of zones) zone.setFaults([]);
}

async function gameServerGone(stage: Stage): Promise<void> {
  const zone = oneOf(stage, stage.parts.zones);
  await zone.pauseGm();
  await between(stage, 2000, 5000);
  await zone.resumeGm();
}

async function rollingRestart({ deployment }: Stage): Promise<void> {
  for (const service of deployment.services) {
    await service.stop();
    await comeUp(service);
  }
}

async function wholeDatabaseKilled({ parts }: Stage): Promise<void> {
  await parts.galera.killAll();
  await parts.galera.recover();
}

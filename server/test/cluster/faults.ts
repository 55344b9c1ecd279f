import { setTimeout as sleep } from 'node:timers/promises';
import { faultPlan } from '@gatehouse/simulators/zone/faults';
import type { Gatehouse } from '../../../test-support/gatehouse.ts';
import type { RestartableServer } from '../../../test-support/server.ts';
import { gmFaults } from '../money/environment.ts';
import { type Deployment, startUntilReady } from './deployment.ts';
import type { Parts } from './parts.ts';
import type { Kind } from './timeline.ts';

export interface FaultContext {
  readonly parts: Parts;
  readonly deployment: Deployment;
  readonly random: () => number;
}

export interface Fault {
  readonly name: string;
  /** Kinds of request that need the broken part and may wait for it. */
  readonly needs: readonly Kind[];
  /** Whether only one part breaks, so that everything that does not need it must keep working. */
  readonly isSingle: boolean;
  /** No request may fail: an operator does this while players are online. */
  readonly isRoutine?: boolean;
  /** Breaks it, waits, and repairs it. */
  inject(context: FaultContext): Promise<void>;
}

/** systemd's delay before a restart. */
const RESTART_MS = 1000;

const sleepBetween = ({ random }: FaultContext, from: number, to: number) =>
  sleep(from + random() * (to - from));

function randomOf<T>({ random }: FaultContext, things: readonly T[]): T {
  return things[Math.floor(random() * things.length)] as T;
}

async function killed(context: FaultContext, server: RestartableServer): Promise<void> {
  await server.kill();
  await sleepBetween(context, 1000, 4000);
  await server.restart();
}

async function frozen(context: FaultContext, server: RestartableServer): Promise<void> {
  server.freeze();
  await sleepBetween(context, 2000, 5000);
  server.thaw();
}

async function killedService(service: Gatehouse): Promise<void> {
  await service.kill();
  await sleep(RESTART_MS);
  await startUntilReady(service);
}

/** One part breaks; everything that does not need it must keep working. */
function single(name: string, inject: Fault['inject'], needs: readonly Kind[] = []): Fault {
  return { name, needs, isSingle: true, inject };
}

export const faults: readonly Fault[] = [
  single('service killed', (context) => killedService(randomOf(context, context.deployment.services))),
  single('service frozen', (context) => frozen(context, randomOf(context, context.deployment.services))),
  single('database node killed', (context) => killed(context, randomOf(context, context.parts.galera.nodes))),
  single('database node frozen', (context) => frozen(context, randomOf(context, context.parts.galera.nodes))),
  single('Redis master killed', async (context) => killed(context, await context.parts.redis.master())),
  single('Redis master frozen', async (context) => frozen(context, await context.parts.redis.master())),
  single('mail server down', mailServerDown, ['register']),
  single('mail server hangs', mailServerHangs, ['register']),
  single('game database killed', (context) => killed(context, context.parts.games), ['withdraw']),
  single('game database frozen', (context) => frozen(context, context.parts.games), ['withdraw']),
  single('game server faulty', gameServerFaulty, ['withdraw']),
  single('game server down', gameServerDown, ['withdraw']),
  { ...single('rolling restart', rollingRestart), isRoutine: true },
  { name: 'whole database killed', needs: [], isSingle: false, inject: wholeDatabaseKilled },
];

async function mailServerDown(context: FaultContext): Promise<void> {
  await context.parts.mail.stop();
  await sleepBetween(context, 2000, 5000);
  await context.parts.mail.resume();
}

async function mailServerHangs(context: FaultContext): Promise<void> {
  context.parts.mail.hang();
  await sleepBetween(context, 2000, 5000);
  await context.parts.mail.resume();
}

async function gameServerFaulty(context: FaultContext): Promise<void> {
  const { zones } = context.parts;
  for (const zone of zones)
    zone.setFaults(faultPlan({ seed: Math.floor(context.random() * 1e9), rate: 0.7, kinds: gmFaults }));
  await sleepBetween(context, 3000, 6000);
  for (const zone of zones) zone.setFaults([]);
}

async function gameServerDown(context: FaultContext): Promise<void> {
  const zone = randomOf(context, context.parts.zones);
  await zone.pauseGm();
  await sleepBetween(context, 2000, 5000);
  await zone.resumeGm();
}

async function rollingRestart({ deployment }: FaultContext): Promise<void> {
  for (const service of deployment.services) {
    await service.stop();
    await startUntilReady(service);
  }
}

async function wholeDatabaseKilled({ parts }: FaultContext): Promise<void> {
  await parts.galera.killAll();
  await parts.galera.recover();
}

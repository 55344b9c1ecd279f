import { setTimeout as sleep } from 'node:timers/promises';
import { faultPlan } from '@gatehouse/simulators/zone/faults';
import { gmFaults } from '../money/environment.ts';
import {
  type Fault,
  type FaultContext,
  frozen,
  killed,
  randomOf,
  several,
  single,
  sleepBetween,
  slowed,
} from './fault.ts';

/** Below `evs.suspect_timeout`: the cluster keeps the node, and every commit waits for it. A registration needs several. */
const SLOW_NODE_MS = 400;
/** Below the sentinels' `down-after`: they keep the master. */
const SLOW_REDIS_MS = 1200;
const SLOW_GAMES_MS = 2000;
/** A mail takes five answers. */
const SLOW_MAIL_MS = 1000;
/** Longer than `gm.timeout`. */
const SLOW_GM = 'delay:1500';
const LOCK_S = 9;

/** What the service depends on. */
export const dependencyFaults: readonly Fault[] = [
  single('database node killed', (context) => killed(context, randomOf(context, context.parts.galera.nodes))),
  single('database node frozen', (context) => frozen(context, randomOf(context, context.parts.galera.nodes))),
  single('database node slow', (context) =>
    slowed(context, randomOf(context, context.parts.galera.nodes), SLOW_NODE_MS),
  ),
  single('database row locked', rowLocked, ['register']),
  single('Redis master killed', async (context) => killed(context, await context.parts.redis.master())),
  single('Redis master frozen', async (context) => frozen(context, await context.parts.redis.master())),
  single('Redis slow', async (context) => slowed(context, await context.parts.redis.master(), SLOW_REDIS_MS)),
  single('Redis restarted empty', redisRestarted),
  single('Sentinel killed', (context) => killed(context, randomOf(context, context.parts.redis.sentinels))),
  single('mail server down', mailServerDown, ['register']),
  single('mail server hangs', mailServerHangs, ['register']),
  single('mail server slow', mailServerSlow, ['register']),
  single('game database killed', (context) => killed(context, context.parts.games), ['withdraw']),
  single('game database frozen', (context) => frozen(context, context.parts.games), ['withdraw']),
  single('game database slow', (context) => slowed(context, context.parts.games, SLOW_GAMES_MS), [
    'withdraw',
  ]),
  single('game server faulty', gameServerFaulty, ['withdraw']),
  single('game server slow', gameServerSlow, ['withdraw']),
  single('game server down', gameServerDown, ['withdraw']),
  several('whole database killed', wholeDatabaseKilled),
];

/** Holds the row that counts the registrations of the day, on the node that the service uses. */
async function rowLocked({ parts, deployment }: FaultContext): Promise<void> {
  const [node] = parts.galera.nodes;
  await node?.execute(
    `USE ${deployment.database}; START TRANSACTION; UPDATE day_counter SET n = n + 0; DO SLEEP(${LOCK_S}); ROLLBACK`,
  );
}

/** Restarts it before the sentinels replace it. It keeps nothing on disk, and its replica copies that. */
async function redisRestarted({ parts }: FaultContext): Promise<void> {
  const master = await parts.redis.master();
  await master.restart();
  await sleep(1000);
}

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

async function mailServerSlow(context: FaultContext): Promise<void> {
  context.parts.mail.slow(SLOW_MAIL_MS);
  await sleepBetween(context, 5000, 8000);
  await context.parts.mail.resume();
}

async function gameServerFaulty(context: FaultContext): Promise<void> {
  const { zones } = context.parts;
  for (const zone of zones)
    zone.setFaults(faultPlan({ seed: Math.floor(context.random() * 1e9), rate: 0.7, kinds: gmFaults }));
  await sleepBetween(context, 3000, 6000);
  for (const zone of zones) zone.setFaults([]);
}

async function gameServerSlow(context: FaultContext): Promise<void> {
  const zone = randomOf(context, context.parts.zones);
  zone.setFaults(() => SLOW_GM);
  await sleepBetween(context, 3000, 6000);
  zone.setFaults([]);
}

async function gameServerDown(context: FaultContext): Promise<void> {
  const zone = randomOf(context, context.parts.zones);
  await zone.pauseGm();
  await sleepBetween(context, 2000, 5000);
  await zone.resumeGm();
}

async function wholeDatabaseKilled({ parts }: FaultContext): Promise<void> {
  await parts.galera.killAll();
  await parts.galera.recover();
}

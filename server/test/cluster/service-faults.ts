import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { requireExecutable } from '../../../test-support/executables.ts';
import type { Gatehouse } from '../../../test-support/gatehouse.ts';
import { startUntilReady } from './deployment.ts';
import {
  type Fault,
  type FaultContext,
  frozen,
  killed,
  randomOf,
  several,
  single,
  sleepBetween,
} from './fault.ts';

/** systemd's delay before a restart. */
const RESTART_MS = 1000;
const HOUR_MS = 3_600_000;
/** Less than a process has open already, so that it cannot open another file or accept a connection. */
const FEW_HANDLES = 16;
/** An address that sends nothing else. */
const DENIED = '203.0.113.99';
const POLL_MS = 50;

/** Instances of the service, and nginx in front of them. */
export const serviceFaults: readonly Fault[] = [
  single('service killed', (context) => killedService(randomOf(context, context.deployment.services))),
  single('service frozen', (context) => frozen(context, randomOf(context, context.deployment.services))),
  { ...single('service without file handles', withoutHandles), requires: 'prlimit' },
  { ...single('clock of a service jumps', clockJumps), requires: 'faketime' },
  { ...single('rolling restart', rollingRestart), isRoutine: true },
  { ...single('settings reloaded', settingsReloaded), isRoutine: true },
  // Not routine: nginx closes idle connections, and a request that was just sent on one gets no answer.
  single('nginx reloaded', ({ deployment }) => deployment.nginx.reload()),
  several('nginx killed', nginxKilled),
  several('two services killed', twoServicesKilled),
  several('service and Redis master killed', serviceAndRedisKilled),
];

async function killedService(service: Gatehouse): Promise<void> {
  await service.kill();
  await sleep(RESTART_MS);
  await startUntilReady(service);
}

async function withoutHandles(context: FaultContext): Promise<void> {
  const { pid } = randomOf(context, context.deployment.services);
  const limit = (...args: string[]) =>
    execFileSync(requireExecutable('prlimit'), ['--pid', String(pid), ...args]).toString();
  const before = limit('--nofile', '--output=SOFT', '--noheadings', '--raw').trim();
  limit(`--nofile=${FEW_HANDLES}:`);
  await sleepBetween(context, 3000, 6000);
  limit(`--nofile=${before}:`);
}

async function clockJumps(context: FaultContext): Promise<void> {
  const { clock } = context.deployment;
  clock?.set(context.random() < 0.5 ? HOUR_MS : -HOUR_MS);
  await sleepBetween(context, 3000, 6000);
  clock?.set(0);
}

async function rollingRestart({ deployment }: FaultContext): Promise<void> {
  for (const service of deployment.services) {
    await service.stop();
    await startUntilReady(service);
  }
}

/** Denies an address on every instance and admits it again. */
async function settingsReloaded({ deployment }: FaultContext): Promise<void> {
  const { services } = deployment;
  for (const denied of [[DENIED], []]) {
    for (const service of services) service.writeSettings({ ...service.settings, deny_ip: denied });
    const wanted = denied.length > 0 ? 403 : 200;
    await Promise.all(services.map((service) => untilStatus(service, wanted)));
  }
}

async function untilStatus({ url }: Gatehouse, wanted: number): Promise<void> {
  for (let status = 0; status !== wanted; await sleep(POLL_MS)) {
    const answer = await fetch(`${url}/api/server/list`, { headers: { 'x-forwarded-for': DENIED } });
    await answer.arrayBuffer();
    status = answer.status;
  }
}

async function nginxKilled({ deployment }: FaultContext): Promise<void> {
  await deployment.nginx.kill();
  await sleep(RESTART_MS);
  await deployment.nginx.restart();
}

async function twoServicesKilled(context: FaultContext): Promise<void> {
  const { services } = context.deployment;
  const spared = randomOf(context, services);
  await Promise.all(services.filter((service) => service !== spared).map(killedService));
}

async function serviceAndRedisKilled(context: FaultContext): Promise<void> {
  const service = randomOf(context, context.deployment.services);
  await Promise.all([killedService(service), killed(context, await context.parts.redis.master())]);
}

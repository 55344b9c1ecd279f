import { setTimeout as sleep } from 'node:timers/promises';
import { faultPlan } from '@gatehouse/playground/zone/faults.ts';
import type { Gatehouse } from '../../../test-bench/gatehouse.ts';
import type { RestartableServer } from '../../../test-bench/server.ts';
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

const single = { needs: [], isSingle: true };

export const faults: readonly Fault[] = [
  {
    ...single,
    name: 'service killed',
    strike: (stage) => killedService(oneOf(stage, stage.deployment.services)),
  },
  {
    ...single,
    name: 'service frozen',
    strike: (stage) => frozen(stage, oneOf(stage, stage.deployment.services)),
  },
  {
    ...single,
    name: 'database node killed',
    strike: (stage) => killed(stage, oneOf(stage, stage.parts.galera.nodes)),
  },
  {
    ...single,
    name: 'database node frozen',
    strike: (stage) => frozen(stage, oneOf(stage, stage.parts.galera.nodes)),
  },
  {
    ...single,
    name: 'Redis master killed',
    strike: async (stage) => killed(stage, await stage.parts.redis.master()),
  },
  {
    ...single,
    name: 'Redis master frozen',
    strike: async (stage) => frozen(stage, await stage.parts.redis.master()),
  },
  {
    ...single,
    name: 'mail server dead',
    needs: ['register'],
    async strike(stage) {
      await stage.parts.mail.die();
      await between(stage, 2000, 5000);
      await stage.parts.mail.comeBack();
    },
  },
  {
    ...single,
    name: 'mail server hangs',
    needs: ['register'],
    async strike(stage) {
      stage.parts.mail.hang();
      await between(stage, 2000, 5000);
      await stage.parts.mail.comeBack();
    },
  },
  {
    ...single,
    name: 'game database killed',
    needs: ['withdraw'],
    strike: (stage) => killed(stage, stage.parts.games),
  },
  {
    ...single,
    name: 'game database frozen',
    needs: ['withdraw'],
    strike: (stage) => frozen(stage, stage.parts.games),
  },
  {
    ...single,
    name: 'game server lies',
    needs: ['withdraw'],
    async strike(stage) {
      const { zones } = stage.parts;
      for (const zone of zones)
        zone.setFaults(faultPlan({ seed: Math.floor(stage.random() * 1e9), rate: 0.7, kinds: gmFaults }));
      await between(stage, 3000, 6000);
      for (const zone of zones) zone.setFaults([]);
    },
  },
  {
    ...single,
    name: 'game server gone',
    needs: ['withdraw'],
    async strike(stage) {
      const zone = oneOf(stage, stage.parts.zones);
      await zone.pauseGm();
      await between(stage, 2000, 5000);
      await zone.resumeGm();
    },
  },
  {
    ...single,
    name: 'rolling restart',
    isRoutine: true,
    async strike({ deployment }) {
      for (const service of deployment.services) {
        await service.stop();
        await comeUp(service);
      }
    },
  },
  {
    name: 'whole database killed',
    needs: [],
    isSingle: false,
    async strike({ parts }) {
      await parts.galera.killAll();
      await parts.galera.recover();
    },
  },
];

/** Every fault once, in an order the seed decides, and again until there are enough. */
export function schedule(count: number, random: () => number): Fault[] {
  const plan: Fault[] = [];
  while (plan.length < count) plan.push(...shuffled(faults, random));
  return plan.slice(0, count);
}

function shuffled<T>(things: readonly T[], random: () => number): T[] {
  return things
    .map((thing) => ({ thing, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ thing }) => thing);
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { RestartableServer } from '../../../test-support/server.ts';
import type { Deployment } from './deployment.ts';
import type { Parts } from './parts.ts';
import type { Kind } from './timeline.ts';

export interface FaultContext {
  readonly parts: Parts;
  readonly deployment: Deployment;
  readonly random: () => number;
}

/** What a fault needs on this machine. */
export type Requirement = 'network' | 'faketime' | 'prlimit';

export interface Fault {
  readonly name: string;
  /** Kinds of request that need the broken part and may wait for it. */
  readonly needs: readonly Kind[];
  /** Whether only one part breaks, so that everything that does not need it must keep working. */
  readonly isSingle: boolean;
  /** Packets are lost, which takes longer to detect than a part that is gone. */
  readonly isPartition?: boolean;
  /** No request may fail: an operator does this while players are online. */
  readonly isRoutine?: boolean;
  readonly requires?: Requirement;
  /** Breaks it, waits, and repairs it. */
  inject(context: FaultContext): Promise<void>;
}

/** One part breaks; everything that does not need it must keep working. */
export function single(name: string, inject: Fault['inject'], needs: readonly Kind[] = []): Fault {
  return { name, needs, isSingle: true, inject };
}

/** Several parts break, or one that every request needs. */
export function several(name: string, inject: Fault['inject']): Fault {
  return { name, needs: [], isSingle: false, inject };
}

export const sleepBetween = ({ random }: FaultContext, from: number, to: number) =>
  sleep(from + random() * (to - from));

export function randomOf<T>({ random }: FaultContext, things: readonly T[]): T {
  return things[Math.floor(random() * things.length)] as T;
}

export async function killed(context: FaultContext, server: RestartableServer): Promise<void> {
  await server.kill();
  await sleepBetween(context, 1000, 4000);
  await server.restart();
}

export async function frozen(context: FaultContext, server: RestartableServer): Promise<void> {
  server.freeze();
  await sleepBetween(context, 2000, 5000);
  server.thaw();
}

const AWAKE_MS = 100;
const SLOW_FOR_MS = 5000;

/** Freezes it for this long again and again, so that most of its answers are late. */
export async function slowed(
  context: FaultContext,
  server: RestartableServer,
  freezeMs: number,
): Promise<void> {
  const until = performance.now() + SLOW_FOR_MS;
  while (performance.now() < until) {
    server.freeze();
    await sleepBetween(context, freezeMs / 2, freezeMs);
    server.thaw();
    await sleep(AWAKE_MS);
  }
}

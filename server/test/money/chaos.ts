import { setTimeout as sleep } from 'node:timers/promises';
import type { Mariadb } from '../../../test-support/mariadb.ts';
import type { Failpoint } from '../../src/features/withdraw/process/failpoints.ts';
import type { Instance } from './instances.ts';

export interface ChaosOptions {
  readonly instances: readonly Instance[];
  readonly accounts: Mariadb;
  readonly games: Mariadb;
  /** Number of kills at random moments. */
  readonly kills: number;
  /** Each also kills one instance. */
  readonly failpoints: readonly Failpoint[];
  /** Progress of the load from 0 to 1, over which the kills are spread. */
  readonly progress: () => number;
}

export interface Chaos {
  readonly kills: number;
  readonly failpoints: readonly Failpoint[];
  readonly restarts: readonly string[];
  readonly isOver: boolean;
  readonly finished: Promise<void>;
}

/** Kills processes at each failpoint and at random moments, and each database twice. */
export function startChaos(options: ChaosOptions): Chaos {
  const { instances, accounts, games, kills, failpoints, progress } = options;
  const state = { kills: 0, failpoints: [] as Failpoint[], restarts: [] as string[], isOver: false };
  const failpointsLeft = [...failpoints];
  const atFailpoints = new Set(instances.slice(1));

  async function killAtFailpoints(instance: Instance): Promise<void> {
    for (
      let failpoint = failpointsLeft.shift();
      failpoint !== undefined;
      failpoint = failpointsLeft.shift()
    ) {
      await instance.kill();
      await instance.start(failpoint);
      await instance.ended();
      state.failpoints.push(failpoint);
    }
    if (!instance.isUp) await instance.start();
    atFailpoints.delete(instance);
  }

  /** Continues until every failpoint was reached: some are reached only after another process died. */
  async function killAtRandom(): Promise<void> {
    for (let turn = 0; state.kills < kills || atFailpoints.size > 0; turn++) {
      await until(() => state.kills < progress() * kills || progress() >= 1);
      await sleep(Math.random() * 400);
      const free = instances.filter((instance) => !atFailpoints.has(instance));
      const victim = free[turn % free.length];
      await victim?.kill();
      state.kills += 1;
      await victim?.start();
    }
  }

  async function restartDatabases(): Promise<void> {
    const plan = [
      { at: 0.2, name: 'game database restarted', restart: () => games.restart() },
      { at: 0.4, name: 'account database restarted', restart: () => accounts.restart() },
      { at: 0.6, name: 'game database killed', restart: () => games.kill().then(() => games.restart()) },
      {
        at: 0.8,
        name: 'account database killed',
        restart: () => accounts.kill().then(() => accounts.restart()),
      },
    ];
    for (const { at, name, restart } of plan) {
      await until(() => progress() >= at);
      await restart();
      state.restarts.push(name);
    }
  }

  const finished = Promise.all([
    ...[...atFailpoints].map(killAtFailpoints),
    killAtRandom(),
    restartDatabases(),
  ]).then(() => {
    state.isOver = true;
  });
  return {
    get kills() {
      return state.kills;
    },
    get failpoints() {
      return state.failpoints;
    },
    get restarts() {
      return state.restarts;
    },
    get isOver() {
      return state.isOver;
    },
    finished,
  };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(50);
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Mariadb } from '../../../test-support/mariadb.ts';
import type { Failpoint } from '../../src/features/withdraw/process/failpoints.ts';
import type { Instance } from './instances.ts';

export interface ChaosOptions {
  readonly instances: readonly Instance[];
  readonly accounts: Mariadb;
  readonly games: Mariadb;
  /** How many are killed at a random moment. */
  readonly kills: number;
  /** Each kills one instance, too. */
  readonly failpoints: readonly Failpoint[];
  /** How far the load has got, from 0 to 1: the kills are spread over it. */
  readonly progress: () => number;
}

export interface Chaos {
  readonly kills: number;
  readonly failpoints: readonly Failpoint[];
  readonly restarts: readonly string[];
  readonly isOver: boolean;
  readonly finished: Promise<void>;
}

/** Kills processes all along, at each failpoint and at random moments, and each database twice. */
export function startChaos(options: ChaosOptions): Chaos {
  const { instances, accounts, games, kills, failpoints, progress } = options;
  const state = { kills: 0, failpoints: [] as Failpoint[], restarts: [] as string[], isOver: false };
  const failpointsLeft = [...failpoints];
  const stepping = new Set(instances.slice(1));

  async function killAtFailpoints(instance: Instance): Promise<void> {
    for (
      let failpoint = failpointsLeft.shift();
      failpoint !== undefined;
      failpoint = failpointsLeft.shift()
    ) {
      await instance.kill();
      await instance.start(failpoint);
      await instance.gone();
      state.failpoints.push(failpoint);
    }
    if (!instance.isUp) await instance.start();
    stepping.delete(instance);
  }

  /** Goes on until every failpoint had its turn: some are only reached after a death elsewhere. */
  async function hitAtRandom(): Promise<void> {
    for (let turn = 0; state.kills < kills || stepping.size > 0; turn++) {
      await until(() => state.kills < progress() * kills || progress() >= 1);
      await sleep(Math.random() * 400);
      const free = instances.filter((instance) => !stepping.has(instance));
      const victim = free[turn % free.length];
      await victim?.kill();
      state.kills += 1;
      await victim?.start();
    }
  }

  async function hitDatabases(): Promise<void> {
    const plan = [
      { at: 0.2, name: 'game database restarted', hit: () => games.restart() },
      { at: 0.4, name: 'account database restarted', hit: () => accounts.restart() },
      { at: 0.6, name: 'game database killed', hit: () => games.kill().then(() => games.restart()) },
      { at: 0.8, name: 'account database killed', hit: () => accounts.kill().then(() => accounts.restart()) },
    ];
    for (const { at, name, hit } of plan) {
      await until(() => progress() >= at);
      await hit();
      state.restarts.push(name);
    }
  }

  const finished = Promise.all([...[...stepping].map(killAtFailpoints), hitAtRandom(), hitDatabases()]).then(
    () => {
      state.isOver = true;
    },
  );
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

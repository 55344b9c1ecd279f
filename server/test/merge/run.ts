import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/db/open.ts';
import { openZoneAdmin } from '../../src/features/zones/admin/module.ts';
import { Refusal } from '../../src/refusal.ts';
import { judge } from '../money/judge.ts';
import { historyOf, settledRecordsOf } from '../money/records.ts';
import { type Moments, untrueAnswers } from './answers.ts';
import { type Environment, type EnvironmentOptions, startEnvironment } from './environment.ts';
import { createPlayer, type Heard, type VisitingPlayer } from './player.ts';

export interface RunOptions extends EnvironmentOptions {
  /** Visits of each player before the merge, and again after. */
  readonly visits: number;
}

export interface RunResult {
  /** Each must be 0. */
  readonly violations: Readonly<Record<string, number>>;
  readonly facts: Readonly<Record<string, number>>;
  /** Wrong answers. */
  readonly untrue: readonly string[];
}

const actor = { name: 'merge', via: 'cli' } as const;
/** How often the operator tries before setting the zone to maintenance, so that its withdrawals finish. */
const TRIES = 50;
const PAUSE_MS = 20;

/** Players of two zones log in, enter and withdraw while one zone is merged into the other. */
export async function runMerge(options: RunOptions): Promise<RunResult> {
  const started = performance.now();
  await using open = new AsyncDisposableStack();
  const environment = await startEnvironment(options);
  open.defer(environment.close);
  const { db, zones, services } = environment;
  const heard: Heard = { observations: [], replies: [], accepted: new Set() };
  const urls = services.map(({ url }) => url);
  const players = environment.players.map((player) => createPlayer({ player, urls, heard }));

  const { moments, refusedMerges } = await mergeUnderLoad({ environment, players, visits: options.visits });
  for (const zone of zones) zone.setFaults([]);
  const repeats = await Promise.all(players.map((player) => player.repeatsFirst()));
  const landed = await Promise.all(players.map((player) => player.zones()));
  const untrue = untrueAnswers(heard.observations, moments);
  const money = judge({
    records: await settledRecordsOf(db),
    journal: zones.flatMap((zone) => zone.journal()),
    replies: heard.replies,
    accepted: heard.accepted,
    balances: zones.flatMap((zone) => zone.roles().map(({ balance }) => balance)),
    history: await historyOf(db),
  });
  const rows = await db.kysely.selectFrom('withdraw').select(['id', 'server_id']).execute();
  const zoneOf = new Map(rows.map(({ id, server_id }) => [id, server_id]));
  const count = (meaning: string) =>
    heard.observations.filter((observation) => observation.meaning === meaning).length;

  return {
    untrue: untrue.map(({ note }) => note),
    violations: {
      'untrue answers': untrue.length,
      'withdrawals on another zone than told': heard.replies.filter(
        ({ withdrawId, serverId }) =>
          withdrawId !== undefined && serverId !== undefined && zoneOf.get(withdrawId) !== serverId,
      ).length,
      'withdrawals of the merged zone after the merge': await withdrawalsAfterMerge(db),
      'repeated requests answered otherwise': repeats.filter((isSame) => !isSame).length,
      'players not on the zone of today': landed.filter(
        ({ login, roles, names }) => login !== 2 || roles !== 2 || names.length !== 1,
      ).length,
      ...money,
    },
    facts: {
      answers: heard.observations.length,
      'of the zone that stays': count('untouched'),
      'of the zone itself': count('itself'),
      'of the one it was merged into': count('merged'),
      'in maintenance': count('in maintenance'),
      'come again in a second': count('just merged'),
      'merges refused before': refusedMerges,
      withdrawals: heard.replies.length,
      'known everywhere after, in ms': Math.round(moments.known - moments.merge),
      seconds: Math.round((performance.now() - started) / 1000),
    },
  };
}

async function mergeUnderLoad(options: {
  environment: Environment;
  players: readonly VisitingPlayer[];
  visits: number;
}): Promise<{ moments: Moments; refusedMerges: number }> {
  const { environment, players, visits } = options;
  const counts = new Map(players.map((player) => [player, 0]));
  const until = async (isOver: () => boolean) => {
    while (!isOver()) await Promise.race([sleep(PAUSE_MS), load]);
  };
  let isOver = false;
  const load = Promise.all(
    players.map(async (player) => {
      while (!isOver) {
        await player.visit();
        counts.set(player, (counts.get(player) ?? 0) + 1);
      }
    }),
  );
  const everybodyHasCome = () => {
    const from = new Map(counts);
    return until(() =>
      players.every((player) => (counts.get(player) ?? 0) - (from.get(player) ?? 0) >= visits),
    );
  };

  await everybodyHasCome();
  const merged = await merge(environment);
  const known = performance.now();
  await everybodyHasCome();
  isOver = true;
  await load;
  const { refusedMerges, ...began } = merged;
  return { moments: { ...began, known }, refusedMerges };
}

/** Merges as an operator does: tries, sets the zone to maintenance if it is never idle, and waits until all instances know. */
async function merge({ db, services }: Environment) {
  const { merge: mergeZones, setStatus } = openZoneAdmin({ db });
  let maintenance: number | undefined;
  for (let refusedMerges = 0; ; refusedMerges++) {
    if (refusedMerges === TRIES) {
      maintenance = performance.now();
      await setStatus(actor, { serverIds: [1], status: 'maintenance' });
    }
    const began = performance.now();
    try {
      await mergeZones(actor, { serverId: 1, into: 2, dryRun: false });
      while (!(await Promise.all(services.map(({ url }) => isUnlisted(url)))).every(Boolean))
        await sleep(PAUSE_MS);
      return { maintenance, merge: began, refusedMerges };
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'zone_has_open_withdrawals') throw error;
      await sleep(PAUSE_MS);
    }
  }
}

async function isUnlisted(url: string): Promise<boolean> {
  const { servers } = (await (await fetch(`${url}/api/server/list`)).json()) as {
    servers: { server_id: number }[];
  };
  return servers.every(({ server_id }) => server_id !== 1);
}

/** Counts steps of withdrawals in the merged zone after the merge, except refusals. */
async function withdrawalsAfterMerge({ kysely }: Db): Promise<number> {
  const { at } = await kysely
    .selectFrom('audit')
    .select('at')
    .where('action', '=', 'zone.merge')
    .executeTakeFirstOrThrow();
  const steps = await kysely
    .selectFrom('withdraw')
    .innerJoin('withdraw_event', 'withdraw_event.withdraw_id', 'withdraw.id')
    .select('withdraw.id')
    .where('server_id', '=', 1)
    .where('withdraw.result_code', 'is', null)
    .where('withdraw_event.at', '>', at)
    .execute();
  return steps.length;
}

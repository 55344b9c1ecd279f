import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Pace } from './measure.ts';

export interface Options {
  readonly players: number;
  readonly pace: Pace;
  /** Names of comparisons and other measurements; empty for all. */
  readonly only: ReadonlySet<string>;
  readonly growth: boolean;
  /** Folder of another checkout to compare with. */
  readonly before: string | undefined;
  readonly quick: boolean;
  /** Measures latency at fixed rates instead of rates. */
  readonly latency: boolean;
  /** Results of an earlier run to compare with. */
  readonly compare: string | undefined;
}

const THOROUGH: Pace = { warmUp: 7, seconds: 5, rounds: 5 };
const QUICK: Pace = { warmUp: 2, seconds: 1, rounds: 3 };
const QUICK_ONES = 'list,list-304,login,check-jwt,enter_game,chat,start';

export const USAGE = `npm run bench -- [--quick] [--only login,check-jwt,…] [--players N] [--rounds N] [--seconds N] [--growth]
                 [--before FOLDER] [--latency] [--compare FILE]

  --quick    100,000 players, short rounds, the hot routes: about five minutes
  --only     just these: list, list-304, config, config-304, login, login-wrong, check-legacy, check-jwt, bind, enter_game,
             register, login-argon2, list-nginx, login-nginx, login-sealed, check-sealed, chat, chat-batch, import, start, memory, workers
  --growth   10,000 against 5,000,000 players instead
  --before   the hot routes of another checkout, built, against this one's instead
  --latency  p50, p99 and p99.9 at 30 % and 70 % of the baseline's highest rate, sent at a fixed rate, instead
  --compare  prints what changed since an earlier run, by its JSON file
  --warm-up  seconds of warm-up for each candidate of a comparison`;

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      growth: { type: 'boolean', default: false },
      before: { type: 'string' },
      latency: { type: 'boolean', default: false },
      compare: { type: 'string' },
      only: { type: 'string' },
      players: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      'warm-up': { type: 'string' },
    },
  });
  const { quick, growth, before, latency, compare, only = quick ? QUICK_ONES : '' } = values;
  const pace = quick ? QUICK : THOROUGH;
  return {
    quick,
    growth,
    latency,
    compare: compare === undefined ? undefined : resolve(compare),
    before: before === undefined ? undefined : resolve(before),
    only: new Set(only.split(',').filter(Boolean)),
    players: whole(values.players, quick ? 100_000 : 1_000_000),
    pace: {
      warmUp: whole(values['warm-up'], pace.warmUp),
      seconds: whole(values.seconds, pace.seconds),
      rounds: whole(values.rounds, pace.rounds),
    },
  };
}

function whole(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`${text} is no whole number above zero`);
  return Number(text);
}

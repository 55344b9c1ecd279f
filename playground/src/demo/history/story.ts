import { randomUUID } from 'node:crypto';
import type { Random } from './random.ts';
import { agents, bans, chatLines, names, promoters, roleNames } from './words.ts';

const DAY_MS = 24 * 3_600_000;
const DAYS = 90;
const PLAYERS = 420;
const CHAT_DAYS = 7;
const CHAT_LINES = 500;
const ZONES = [1, 2, 3] as const;
/** This zone gives no receipts, so only operators can settle its unknown withdrawals. */
const SILENT_ZONE = 3;

export interface DemoPlayer {
  readonly id: number;
  readonly account: string;
  readonly createdAt: number;
  readonly zone: number;
  readonly promoter: number | null;
  readonly address: string;
  readonly agent: string;
  readonly role: { readonly id: number; readonly name: string };
  readonly ban: string | null;
  lastLoginAt: number | null;
}

export interface DemoLogin {
  readonly player: DemoPlayer;
  readonly at: number;
  readonly kind: 'register' | 'login' | 'forum' | 'enter' | 'refused';
}

export interface DemoWithdrawal {
  readonly id: string;
  readonly player: DemoPlayer;
  readonly at: number;
  readonly zone: number;
  readonly amount: number;
  readonly balance: number;
  readonly state: 'done' | 'failed' | 'refused' | 'unknown';
}

export interface DemoChat {
  readonly player: DemoPlayer;
  readonly at: number;
  readonly content: string;
}

export interface Story {
  readonly players: readonly DemoPlayer[];
  readonly logins: readonly DemoLogin[];
  readonly withdrawals: readonly DemoWithdrawal[];
  readonly chat: readonly DemoChat[];
}

/** Generates ninety days of a small platform up to `now`: players, logins and withdrawals. */
export function tellStory(random: Random, { now, firstId }: { now: number; firstId: number }): Story {
  const begin = now - DAYS * DAY_MS;
  const players = arrivals(random, begin, now).map((createdAt, index) =>
    person(random, { createdAt, index, firstId }),
  );
  const logins: DemoLogin[] = players.map((player) => ({ player, at: player.createdAt, kind: 'register' }));
  const withdrawals: DemoWithdrawal[] = [];
  for (const player of players) {
    let hasOpen = false;
    for (let at = player.createdAt + evening(random); at < now; at += DAY_MS) {
      const age = (at - player.createdAt) / DAY_MS;
      if (!random.chance(0.45 * Math.exp(-age / 20) + 0.05)) continue;
      const time = Math.min(now - 120_000, at + random.below(2 * 3_600_000));
      if (random.chance(0.06)) logins.push({ player, at: time - 40_000, kind: 'refused' });
      logins.push({ player, at: time, kind: random.chance(0.12) ? 'forum' : 'login' });
      logins.push({ player, at: time + 20_000, kind: 'enter' });
      player.lastLoginAt = time;
      // A role can have only one open withdrawal.
      if (age <= 2 || !random.chance(0.12) || hasOpen) continue;
      const made = withdrawal(random, player, time + 15 * 60_000, now);
      hasOpen = made.state === 'unknown';
      withdrawals.push(made);
    }
  }
  const inOrder = <T extends { readonly at: number }>(events: readonly T[]) =>
    events.filter(({ at }) => at < now).sort((a, b) => a.at - b.at);
  return {
    players,
    logins: inOrder(logins),
    withdrawals: inOrder(withdrawals),
    chat: inOrder(chatOf(random, players, now)),
  };
}

/** Generates arrival times: more at weekends, slowly rising, with a wave when a zone opened. */
function arrivals(random: Random, begin: number, now: number): number[] {
  const times: number[] = [];
  while (times.length < PLAYERS) {
    const day = random.below(DAYS);
    const at = begin + day * DAY_MS + evening(random);
    const isWeekend = [0, 6].includes(new Date(at).getUTCDay());
    const openingWave = day >= 60 && day < 64 ? 0.5 : 0;
    if (at < now && random.chance(0.25 + day / 400 + (isWeekend ? 0.2 : 0) + openingWave)) times.push(at);
  }
  return times.sort((a, b) => a - b);
}

/** Most people play after work. */
const evening = (random: Random) =>
  (random.chance(0.7) ? 10 + random.below(5) : random.below(24)) * 3_600_000 + random.below(3_600_000);

function person(
  random: Random,
  { createdAt, index, firstId }: { createdAt: number; index: number; firstId: number },
): DemoPlayer {
  const network = random.chance(0.3) ? '198.51.100' : '203.0.113';
  return {
    id: firstId + index,
    account: `demo_${random.pick(names)}_${String(index + 1).padStart(3, '0')}`,
    createdAt,
    zone: random.pick(ZONES),
    promoter: random.chance(0.55) ? random.below(promoters.length) : null,
    address: `${network}.${1 + random.below(250)}`,
    agent: random.pick(agents),
    role: { id: 90_000 + index, name: `${random.pick(roleNames)}${index + 1}` },
    ban: index % 60 === 59 ? random.pick(bans) : null,
    lastLoginAt: null,
  };
}

function withdrawal(random: Random, player: DemoPlayer, at: number, now: number): DemoWithdrawal {
  const amount = 100 * (1 + random.below(20));
  const lot = random.next();
  // Receipts settle open withdrawals, so only the zone without receipts keeps any, and none is old.
  const isOpen = player.zone === SILENT_ZONE && now - at < 4 * DAY_MS && lot < 0.4;
  const settled = lot < 0.05 ? 'failed' : lot < 0.1 ? 'refused' : 'done';
  return {
    id: randomUUID(),
    player,
    at,
    zone: player.zone,
    amount,
    balance: amount + 100 * random.below(50),
    state: isOpen ? 'unknown' : settled,
  };
}

function chatOf(random: Random, players: readonly DemoPlayer[], now: number): DemoChat[] {
  return Array.from({ length: CHAT_LINES }, () => {
    const player = players[random.below(players.length)] as DemoPlayer;
    const at = Math.max(player.createdAt, now - random.below(CHAT_DAYS * DAY_MS));
    return { player, at, content: random.pick(chatLines) };
  });
}

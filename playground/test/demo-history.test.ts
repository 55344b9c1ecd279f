import { expect, test } from 'vitest';
import { openRandom } from '../src/demo/history/random.ts';
import { tellStory } from '../src/demo/history/story.ts';

const DAY_MS = 24 * 3_600_000;
const now = Date.UTC(2026, 10, 16, 12);
const story = tellStory(openRandom(1), { now, firstId: 100 });

test('when the demo history is created, then it covers the last ninety days, in order, with players who existed then', () => {
  const { players, logins, withdrawals, chat } = story;
  expect(players.length).toBeGreaterThan(300);
  expect(players.map(({ id }) => id)).toEqual(players.map((_, index) => 100 + index));
  for (const events of [logins, withdrawals, chat]) {
    expect(events.length).toBeGreaterThan(200);
    expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).sort((a, b) => a - b));
    for (const { at, player } of events) {
      expect(at).toBeLessThan(now);
      expect(at).toBeGreaterThanOrEqual(player.createdAt);
    }
  }
  expect(players[0]?.createdAt).toBeGreaterThan(now - 91 * DAY_MS);
});

test('when it is created again, then the names are the same, and all are marked as a demo', () => {
  const again = tellStory(openRandom(1), { now, firstId: 100 });
  expect(again.players).toEqual(story.players);
  for (const { account } of story.players) expect(account).toMatch(/^demo_[a-z]+_\d{3}$/);
});

test('when a different history is created, then no role has two open withdrawals either', () => {
  for (let seed = 1; seed <= 30; seed += 1) {
    const story = tellStory(openRandom(seed), { now, firstId: 100 });
    const open = story.withdrawals.filter(({ state }) => state === 'unknown').map(({ player }) => player.id);
    expect(new Set(open).size).toBe(open.length);
  }
});

test('when a withdrawal is open, then it is in the zone without receipts; every state has some', () => {
  const states = Map.groupBy(story.withdrawals, ({ state }) => state);
  for (const state of ['done', 'failed', 'refused', 'unknown'] as const)
    expect(states.get(state)?.length ?? 0).toBeGreaterThan(0);
  for (const { zone, at } of states.get('unknown') ?? []) {
    expect(zone).toBe(3);
    expect(at).toBeGreaterThan(now - 5 * DAY_MS);
  }
});

import { expect, test } from 'vitest';
import { attemptQueue } from './attempt-queue.ts';
import { type Claim, memoryAttempts } from './attempt-store.ts';
import { attemptsOfWorkers } from './worker-attempts.ts';

const claim = (id: string, limit: number, clearedByRight = false): Claim => ({
  id,
  limit,
  window: 900,
  clearedByRight,
});

function storeAtWill() {
  let now = 1000;
  const store = memoryAttempts(() => now);
  const attempt = (id: number, ...claims: Claim[]) => ({ id, claims });
  return { store, attempt, pass: (ms: number) => (now += ms) };
}

test('when pending attempts have taken all places, then the next is busy, and over once they were wrong', () => {
  const { store, attempt } = storeAtWill();
  const one = attempt(1, claim('a', 2));
  const two = attempt(2, claim('a', 2));
  const three = attempt(3, claim('a', 2));
  expect([store.take(one), store.take(two)]).toEqual([{ state: 'free' }, { state: 'free' }]);
  expect(store.take(three)).toEqual({ state: 'busy', id: 'a' });
  store.settle(one, 'wrong');
  expect(store.take(three)).toEqual({ state: 'busy', id: 'a' });
  store.settle(two, 'wrong');
  expect(store.take(three)).toEqual({ state: 'over', id: 'a', retryAfter: 900 });
});

test('when one counter is full, then the others count nothing', () => {
  const { store, attempt } = storeAtWill();
  store.take(attempt(1, claim('full', 1)));
  for (let round = 0; round < 5; round++)
    expect(store.take(attempt(10 + round, claim('other', 1), claim('full', 1)))).toMatchObject({
      id: 'full',
    });
  expect(store.take(attempt(2, claim('other', 1)))).toEqual({ state: 'free' });
});

test('when an attempt is right, then its places are freed and the counters that say so are cleared', () => {
  const { store, attempt } = storeAtWill();
  const claims = [claim('pair', 2, true), claim('address', 2)] as const;
  const wrong = attempt(1, ...claims);
  const right = attempt(2, ...claims);
  store.take(wrong);
  store.settle(wrong, 'wrong');
  store.take(right);
  store.settle(right, 'right');
  expect(store.take(attempt(3, claim('pair', 1)))).toEqual({ state: 'free' });
  expect(store.take(attempt(4, claim('address', 1)))).toMatchObject({ state: 'over' });
  expect(store.take(attempt(5, claim('address', 2)))).toEqual({ state: 'free' });
});

test('when a place stays taken, then the next attempt is refused after its waiting time, and a later one is admitted', async () => {
  const { store } = storeAtWill();
  const queue = attemptQueue(store, 50);
  const stuck = queue.attempt([claim('a', 1)]);
  expect(queue.admit(stuck)).toEqual({ state: 'free' });
  expect(await queue.admit(queue.attempt([claim('a', 1)]))).toEqual({
    state: 'over',
    id: 'a',
    retryAfter: 1,
  });
  queue.settle(stuck, 'right');
  expect(queue.admit(queue.attempt([claim('a', 1)]))).toEqual({ state: 'free' });
});

test('when players and operators log in at a worker that exits, then the places of both are free again', () => {
  const { store } = storeAtWill();
  const workers = attemptsOfWorkers(store);
  const [ofPlayers, ofOperators] = [attemptQueue(store), attemptQueue(store)];
  const take = (queue: ReturnType<typeof attemptQueue>, id: string) =>
    workers.answer({ what: 'take', attempt: queue.attempt([claim(id, 1)]) }, 1);
  take(ofPlayers, 'player');
  take(ofOperators, 'operator');
  workers.workerEnded(1);
  expect(store.take(ofPlayers.attempt([claim('player', 1)]))).toEqual({ state: 'free' });
  expect(store.take(ofOperators.attempt([claim('operator', 1)]))).toEqual({ state: 'free' });
});

test('when a worker exits with pending attempts, then their places are freed, and those of others are not', () => {
  const { store, attempt } = storeAtWill();
  const workers = attemptsOfWorkers(store);
  const take = (id: number, workerId: number) =>
    workers.answer({ what: 'take', attempt: attempt(id, claim('a', 2)) }, workerId);
  expect([take(1, 1), take(1, 2)]).toEqual([{ state: 'free' }, { state: 'free' }]);
  expect(take(2, 2)).toEqual({ state: 'busy', id: 'a' });
  workers.workerEnded(1);
  expect(take(2, 1)).toBeNull();
  expect(take(2, 2)).toEqual({ state: 'free' });
  expect(take(3, 2)).toEqual({ state: 'busy', id: 'a' });
});

test('when a worker settles an attempt that found no place, then the place of another is not freed', () => {
  const { store, attempt } = storeAtWill();
  const workers = attemptsOfWorkers(store);
  const [first, second] = [attempt(1, claim('a', 1)), attempt(2, claim('a', 1))];
  workers.answer({ what: 'take', attempt: first }, 1);
  expect(workers.answer({ what: 'take', attempt: second }, 1)).toEqual({ state: 'busy', id: 'a' });
  workers.answer({ what: 'settle', attempt: second, outcome: 'undecided' }, 1);
  expect(workers.answer({ what: 'take', attempt: second }, 1)).toEqual({ state: 'busy', id: 'a' });
});

test('when the window since the first wrong attempt has passed, then all of them are cleared', () => {
  const { store, attempt, pass } = storeAtWill();
  for (const id of [1, 2]) {
    store.take(attempt(id, claim('a', 2)));
    store.settle(attempt(id, claim('a', 2)), 'wrong');
    pass(400_000);
  }
  expect(store.take(attempt(3, claim('a', 2)))).toEqual({ state: 'over', id: 'a', retryAfter: 100 });
  pass(100_000);
  expect(store.take(attempt(3, claim('a', 2)))).toEqual({ state: 'free' });
});

test('when a window is nearly over, then the wait is at least a second, rounded up', () => {
  const { store, attempt, pass } = storeAtWill();
  const wrong = attempt(1, claim('a', 1));
  store.take(wrong);
  store.settle(wrong, 'wrong');
  const waitAfter = (ms: number) => {
    pass(ms);
    return store.take(attempt(2, claim('a', 1)));
  };
  expect(waitAfter(1)).toEqual({ state: 'over', id: 'a', retryAfter: 900 });
  expect(waitAfter(898_000)).toEqual({ state: 'over', id: 'a', retryAfter: 2 });
  expect(waitAfter(999)).toEqual({ state: 'over', id: 'a', retryAfter: 1 });
  expect(waitAfter(1000)).toEqual({ state: 'free' });
});

test('when an attempt ends undecided, then its place is free and no wrong attempt is counted or cleared', () => {
  const { store, attempt } = storeAtWill();
  const [wrong, undecided] = [attempt(1, claim('a', 2, true)), attempt(2, claim('a', 2, true))];
  for (const each of [wrong, undecided]) store.take(each);
  store.settle(wrong, 'wrong');
  expect(store.take(attempt(3, claim('a', 2)))).toEqual({ state: 'busy', id: 'a' });
  store.settle(undecided, 'undecided');
  expect(store.take(attempt(3, claim('a', 2)))).toEqual({ state: 'free' });
  expect(store.take(attempt(4, claim('a', 1)))).toMatchObject({ state: 'over' });
});

test('when a counter is cleared, then its wrong attempts are forgotten and its pending ones are not', () => {
  const { store, attempt, pass } = storeAtWill();
  const [wrong, pending] = [attempt(1, claim('a', 2)), attempt(2, claim('a', 2))];
  for (const each of [wrong, pending]) store.take(each);
  store.settle(wrong, 'wrong');
  store.clear('a');
  store.clear('never seen');
  expect(store.take(attempt(3, claim('a', 1)))).toEqual({ state: 'busy', id: 'a' });
  pass(100_000);
  store.settle(pending, 'wrong');
  expect(store.take(attempt(4, claim('a', 1)))).toEqual({ state: 'over', id: 'a', retryAfter: 900 });
});

test('when an attempt is settled that took no place, then it frees none of another', () => {
  const { store, attempt } = storeAtWill();
  store.settle(attempt(1, claim('a', 1)), 'undecided');
  expect(store.take(attempt(2, claim('a', 1)))).toEqual({ state: 'free' });
  expect(store.take(attempt(3, claim('a', 1)))).toEqual({ state: 'busy', id: 'a' });
});

test('when the window ends during an attempt, then a wrong one begins the next window', () => {
  const { store, attempt, pass } = storeAtWill();
  const [first, second] = [attempt(1, claim('a', 2)), attempt(2, claim('a', 2))];
  store.take(first);
  store.settle(first, 'wrong');
  store.take(second);
  pass(900_000);
  store.settle(second, 'wrong');
  expect(store.take(attempt(3, claim('a', 1)))).toEqual({ state: 'over', id: 'a', retryAfter: 900 });
  expect(store.take(attempt(4, claim('a', 2)))).toEqual({ state: 'free' });
});

test('when empty counters are removed, after a time or because of their number, then wrong attempts within their window and pending ones still count', () => {
  const { store, attempt, pass } = storeAtWill();
  const wrong = attempt(1, claim('wrong', 1));
  store.take(wrong);
  store.settle(wrong, 'wrong');
  store.take(attempt(2, claim('pending', 1)));
  const othersComeAndGo = (count: number) => {
    for (let id = 3; id < 3 + count; id++) {
      const other = attempt(id, claim(`other ${id}`, 1));
      expect(store.take(other)).toEqual({ state: 'free' });
      store.settle(other, 'right');
    }
  };
  for (const count of [1, 1, 5000]) {
    pass(60_000);
    othersComeAndGo(count);
    expect(store.take(attempt(1, claim('wrong', 1)))).toMatchObject({ state: 'over', id: 'wrong' });
    expect(store.take(attempt(2, claim('pending', 1)))).toEqual({ state: 'busy', id: 'pending' });
  }
  expect(store.take(attempt(1, claim('wrong', 1)))).toMatchObject({ retryAfter: 720 });
});

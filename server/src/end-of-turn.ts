let waiting: (() => void)[] = [];
let rounds = 0;

/** A chain of promises that asks again and again must not keep what has arrived meanwhile waiting. */
const MOST_ROUNDS = 10;

/**
 * Calls back when this turn of the event loop has taken everything in. What arrived together is then handled together,
 * step by step, and each step finds its code and data at hand. Whoever is called may ask again, at once or when promises
 * that are kept by then have been dealt with, and is called in the same turn after the others. A call must not throw.
 */
export function atEndOfTurn(call: () => void): void {
  waiting.push(call);
  if (rounds > 0) return;
  rounds = 1;
  setImmediate(callAll);
}

function callAll(): void {
  // Grows while it is walked through.
  for (const call of waiting) call();
  waiting = [];
  // The tick comes after all promises that are kept by now.
  queueMicrotask(() => process.nextTick(goOn));
}

function goOn(): void {
  if (waiting.length === 0) rounds = 0;
  else if (rounds++ < MOST_ROUNDS) callAll();
  else {
    rounds = 1;
    setImmediate(callAll);
  }
}

let waiting: (() => void)[] = [];
let ending = false;

/**
 * Calls back when this turn of the event loop has taken everything in. What arrived together is then handled together,
 * step by step, and each step finds its code and data at hand; whoever is called may ask again and is called in the same
 * turn, after the others. A call must not throw.
 */
export function atEndOfTurn(call: () => void): void {
  waiting.push(call);
  if (ending) return;
  ending = true;
  setImmediate(callAll);
}

function callAll(): void {
  // Grows while it is walked through.
  for (const call of waiting) call();
  waiting = [];
  // Promises that are kept by now come first: what follows from them belongs to this turn too.
  queueMicrotask(() => process.nextTick(goOn));
}

function goOn(): void {
  if (waiting.length > 0) callAll();
  else ending = false;
}

/** How an admitted attempt ended. `unsent`: it says nothing about the other side. */
export type AttemptOutcome = 'succeeded' | 'failed' | 'unsent';

export interface CircuitBreaker {
  /** Returns a function that takes the attempt's outcome, or undefined if no attempt is admitted now. */
  admit(): ((outcome: AttemptOutcome) => void) | undefined;
}

/**
 * Fails fast while the other side fails: after `breakAfter` failures in a row it admits nothing for `pauseMs`, then one attempt at a
 * time until one decides. Pauses are measured by the monotonic clock, because the other one may be set back by hours.
 */
export function circuitBreaker(options: {
  readonly breakAfter: number;
  readonly pauseMs: number;
  readonly onChange: (isOpen: boolean) => void;
}): CircuitBreaker {
  const { breakAfter, pauseMs, onChange } = options;
  let failures = 0;
  let retryAt: number | undefined;
  let isTrying = false;

  function open(): void {
    if (retryAt === undefined) onChange(true);
    retryAt = performance.now() + pauseMs;
  }

  function close(): void {
    failures = 0;
    retryAt = undefined;
    onChange(false);
  }

  function settle(outcome: AttemptOutcome): void {
    // The outcome of an attempt from before it opened changes nothing.
    if (retryAt !== undefined || outcome === 'unsent') return;
    failures = outcome === 'failed' ? failures + 1 : 0;
    if (failures >= breakAfter) open();
  }

  function settleTrial(outcome: AttemptOutcome): void {
    isTrying = false;
    if (outcome === 'failed') open();
    else if (outcome === 'succeeded') close();
  }

  return {
    admit() {
      if (retryAt === undefined) return settle;
      if (isTrying || performance.now() < retryAt) return undefined;
      isTrying = true;
      return settleTrial;
    },
  };
}

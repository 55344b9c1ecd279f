export interface CircuitBreaker {
  /** Returns a function that takes whether the attempt has succeeded, or undefined if none is admitted now. */
  admit(): ((hasSucceeded: boolean) => void) | undefined;
}

/**
 * Fails fast while the other side fails: after `breakAfter` failures in a row it admits nothing for `pauseMs`, then one attempt,
 * which decides. Pauses are measured by the monotonic clock, because the other one may be set back by hours.
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

  function settle(hasSucceeded: boolean): void {
    // The outcome of an attempt from before it opened changes nothing.
    if (retryAt !== undefined) return;
    failures = hasSucceeded ? 0 : failures + 1;
    if (failures >= breakAfter) open();
  }

  function settleTrial(hasSucceeded: boolean): void {
    isTrying = false;
    if (hasSucceeded) close();
    else open();
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

export interface SharedClock {
  /** Returns milliseconds since 1970, never ahead of the shared clock. */
  now(): number;
  /** Sets the time just read from the shared clock. */
  set(time: number): void;
}

/**
 * Extrapolates a clock that all instances share between two readings. It counts from the arrival of a reading, so it lags by
 * the latency of the answer and is never ahead. After the first reading, this machine's own clock has no effect.
 */
export function sharedClock(): SharedClock {
  let reading = { time: Date.now(), at: performance.now() };
  return {
    now: () => Math.floor(reading.time + performance.now() - reading.at),
    set(time) {
      reading = { time, at: performance.now() };
    },
  };
}

export interface SharedClock {
  /** Milliseconds since 1970; never ahead of the clock that is shared. */
  now(): number;
  /** What the shared clock has just answered. */
  set(time: number): void;
}

/**
 * The time by a clock that all instances share, between two readings of it. It goes on from the moment an answer came in,
 * which is after the shared clock was read: so it is behind by the way of the answer, and never ahead. What this machine's own
 * clock says, or what it is set to, makes no difference once there was a reading.
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

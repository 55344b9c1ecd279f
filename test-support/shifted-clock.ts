import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MissingProgram } from './executables.ts';
import { tempDir } from './process.ts';

/** The other build of the library returns the real time now and then if several threads ask at once. */
const libraries = ['aarch64', 'x86_64'].map(
  (machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`,
);

export function findFaketimeLibrary(): string | undefined {
  return libraries.find((file) => existsSync(file));
}

/** Returns the environment of a process whose clock is off by this many seconds; its monotonic clock is unchanged. */
export function shiftedClock(seconds: number): NodeJS.ProcessEnv {
  return { ...fakedClock(), FAKETIME: `${signed(seconds)}s` };
}

export type MovableClock = {
  /** The environment of the processes that have this clock. */
  readonly env: NodeJS.ProcessEnv;
  /** The offset in milliseconds. */
  offset(): number;
  /** Moves the clock while they run, by whole seconds. */
  set(offsetMs: number): void;
};

export function createMovableClock(): MovableClock {
  const file = join(tempDir('clock'), 'offset');
  let offset = 0;
  const set = (offsetMs: number) => {
    offset = offsetMs;
    writeFileSync(file, signed(Math.round(offsetMs / 1000)));
  };
  set(0);
  return {
    env: { ...fakedClock(), FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1' },
    offset: () => offset,
    set,
  };
}

function fakedClock(): NodeJS.ProcessEnv {
  const library = findFaketimeLibrary();
  if (library === undefined) throw new MissingProgram('faketime');
  return { LD_PRELOAD: library, FAKETIME_DONT_FAKE_MONOTONIC: '1', NO_FAKE_STAT: '1' };
}

const signed = (seconds: number) => `${seconds < 0 ? '' : '+'}${seconds}`;

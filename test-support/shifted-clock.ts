import { existsSync } from 'node:fs';
import { MissingProgram } from './executables.ts';

/** The other build of the library returns the real time now and then if several threads ask at once. */
const libraries = ['aarch64', 'x86_64'].map(
  (machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`,
);

export function findFaketimeLibrary(): string | undefined {
  return libraries.find((file) => existsSync(file));
}

/** Returns the environment of a process whose clock is off by this many seconds; its monotonic clock is unchanged. */
export function shiftedClock(seconds: number): NodeJS.ProcessEnv {
  const library = findFaketimeLibrary();
  if (library === undefined) throw new MissingProgram('faketime');
  return {
    LD_PRELOAD: library,
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  };
}

import { findExecutable } from '../../../test-support/executables.ts';
import { findFaketimeLibrary } from '../../../test-support/shifted-clock.ts';
import { dependencyFaults } from './dependency-faults.ts';
import type { Fault, Requirement } from './fault.ts';
import { networkFaults } from './network-faults.ts';
import { serviceFaults } from './service-faults.ts';

export const faults: readonly Fault[] = [...serviceFaults, ...dependencyFaults, ...networkFaults];

/** Splits the faults into those that this machine can inject and the others. */
export function possibleFaults({ hasNetwork }: { hasNetwork: boolean }): {
  possible: Fault[];
  leftOut: Fault[];
} {
  const met: Record<Requirement, boolean> = {
    network: hasNetwork,
    faketime: findFaketimeLibrary() !== undefined,
    prlimit: findExecutable('prlimit') !== undefined,
  };
  const { possible = [], leftOut = [] } = Object.groupBy(faults, ({ requires }) =>
    requires === undefined || met[requires] ? 'possible' : 'leftOut',
  );
  return { possible, leftOut };
}

import { type ControlName, controlNames } from '@gatehouse/contract/admin';
import { valueAt } from '../../../settings/leaves.ts';
import type { Settings } from '../../../settings/schema.ts';
import type { Control, ControlStore, DenyEntry } from '../store.ts';

/** A setting that may be overridden: what the file says, and what stands above it now. */
export interface ListedControl {
  readonly name: ControlName;
  readonly setting: unknown;
  readonly override: Control | undefined;
}

export interface ControlList {
  readonly controls: readonly ListedControl[];
  readonly denied: readonly DenyEntry[];
}

interface ListParts {
  readonly store: ControlStore;
  /** Of file and environment, without what stands above them. */
  readonly base: () => Settings;
}

/** What is overridden now, read from the database so that it is the same on every instance. */
export function listControls({ store, base }: ListParts) {
  return async (): Promise<ControlList> => {
    const { controls, denied } = await store.inForce();
    return {
      controls: controlNames.map((name) => ({
        name,
        setting: valueAt(base(), name.split('.')),
        override: controls.find((control) => control.name === name),
      })),
      denied,
    };
  };
}

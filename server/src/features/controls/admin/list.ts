import { type ControlName, controlNames } from '@gatehouse/contract/admin';
import { valueAt } from '../../../settings/leaves.ts';
import type { Settings } from '../../../settings/schema.ts';
import type { Control, ControlStore, DenyEntry } from '../store.ts';

/** A setting that can be overridden: its value in the file and the override in force. */
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
  /** Settings of file and environment, without overrides. */
  readonly base: () => Settings;
}

/** Lists the overrides in force, read from the database so that every instance returns the same. */
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

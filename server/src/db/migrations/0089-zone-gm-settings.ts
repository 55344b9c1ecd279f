import { int, optional } from '../ddl.ts';

/** GM settings of a zone that differ from those of the settings file, which apply where a column is null. */
export const zoneGmSettings = {
  name: '0089-zone-gm-settings',
  extensions: [
    {
      table: 'server',
      columns: {
        /** 1: gives receipts. 0: gives none. */
        gm_receipts: optional(int()),
        gm_signature_version: optional(int()),
      },
    },
  ],
} as const;

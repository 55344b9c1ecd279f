import { optional, text } from '../ddl.ts';

const pinned = (column: string) =>
  `${column} = (SELECT server.${column} FROM server WHERE server.server_id = withdraw.server_id)`;

/** The zone's addresses when a withdrawal was accepted: whoever changes them later cannot answer for it. */
export const withdrawAddresses = {
  name: '0077-withdraw-addresses',
  extensions: [
    {
      table: 'withdraw',
      columns: { gm_url: optional(text(255)), database_url: optional(text(255)) },
    },
  ],
  statements: () => [
    `UPDATE withdraw SET ${pinned('gm_url')}, ${pinned('database_url')}
     WHERE state IN ('accepted', 'sending', 'unknown') AND gm_url IS NULL`,
  ],
};

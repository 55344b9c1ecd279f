import { bigint, createdAt, longText, optional, serial, type Table, text } from '../ddl.ts';

const playerLogin = {
  name: 'player_login',
  columns: {
    id: serial,
    player_id: bigint(),
    at: createdAt,
    kind: text(16),
    code: optional(text(40)),
    server_id: optional(bigint()),
    ip: text(45, ''),
    agent: text(255, ''),
  },
  // For a player's own logins, newest first; for other players of an address; for deletion by retention.
  index: [['player_id', 'at'], ['ip', 'player_id'], ['at']],
} as const satisfies Table;

/** JSON lists of logins that arrived faster than the indexes above can take them. Moved over when there is time. */
const playerLoginJournal = {
  name: 'player_login_journal',
  columns: { id: serial, logins: longText, created_at: createdAt },
} as const satisfies Table;

/** `part` is the hour or promoter, for figures broken down by one; zone 0 means none. */
const dayStat = {
  name: 'day_stat',
  columns: { name: text(32), day: text(10), server_id: bigint(0), part: bigint(0), n: bigint(0) },
  primaryKey: ['name', 'day', 'server_id', 'part'],
} as const satisfies Table;

/** How far the rows of a table are summed in `day_stat`. */
const statCursor = {
  name: 'stat_cursor',
  columns: { source: text(32), position: bigint(0), after_id: text(36, ''), time_zone: text(64, '') },
  primaryKey: ['source'],
} as const satisfies Table;

/** The instance that runs a job limited to one at a time. */
const jobLease = {
  name: 'job_lease',
  columns: { job: text(32), owner: text(36, ''), expires_at: bigint(0) },
  primaryKey: ['job'],
} as const satisfies Table;

export const history = {
  name: '0008-history',
  tables: [playerLogin, playerLoginJournal, dayStat, statCursor, jobLease],
  extensions: [
    {
      table: 'player',
      // When the player last used an md5 token; written at most once a day.
      columns: { legacy_seen_at: optional(bigint()) },
      index: [['created_at', 'ip'], ['agent_id', 'created_at'], ['legacy_seen_at']],
    },
  ],
} as const;

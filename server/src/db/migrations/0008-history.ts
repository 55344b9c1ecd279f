import { bigint, createdAt, longText, optional, serial, type Table, text } from '../ddl.ts';

const playerLogin: Table = {
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
  // A player's own, newest first; who else came from an address; what is past the retention.
  index: [['player_id', 'at'], ['ip', 'player_id'], ['at']],
};

/** Groups of logins that came faster than the indexes above take them; moved over when there is time. */
const playerLoginJournal: Table = {
  name: 'player_login_journal',
  columns: { id: serial, logins: longText, created_at: createdAt },
};

/** `part` is the hour or the promoter where a figure is kept for each of them; zone 0 is none. */
const dayStat: Table = {
  name: 'day_stat',
  columns: { name: text(32), day: text(10), server_id: bigint(0), part: bigint(0), n: bigint(0) },
  primaryKey: ['name', 'day', 'server_id', 'part'],
};

/** Up to where the rows of a table are in `day_stat`. */
const statCursor: Table = {
  name: 'stat_cursor',
  columns: { source: text(32), position: bigint(0), after_id: text(36, ''), time_zone: text(64, '') },
  primaryKey: ['source'],
};

/** Which instance runs a job that one at a time may run. */
const jobLease: Table = {
  name: 'job_lease',
  columns: { job: text(32), owner: text(36, ''), expires_at: bigint(0) },
  primaryKey: ['job'],
};

export const history = {
  name: '0008-history',
  tables: [playerLogin, playerLoginJournal, dayStat, statCursor, jobLease],
  extensions: [
    {
      table: 'player',
      columns: { legacy_seen_at: optional(bigint()) },
      index: [['created_at', 'ip'], ['agent_id', 'created_at'], ['legacy_seen_at']],
    },
  ],
};

export interface ScaleRequest {
  readonly name: string;
  /** Below /api/admin/. */
  readonly path: string;
}

const DAY_MS = 24 * 3_600_000;
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

/** The first page of every list and filter, and the figures. A new route of operators is added here. */
export const requests: readonly ScaleRequest[] = [
  { name: 'dashboard, 7 days', path: 'dashboard' },
  { name: 'dashboard, 90 days', path: 'dashboard?days=90' },
  { name: 'dashboard of a zone', path: 'dashboard?days=30&server_id=3' },
  { name: 'registrations', path: 'registrations' },
  { name: 'legacy', path: 'legacy' },
  { name: 'promoters', path: 'promoters' },
  { name: 'a promoter', path: 'promoters/7' },
  { name: 'players', path: 'players' },
  { name: 'players, account', path: 'players?q=player77' },
  { name: 'players, e-mail', path: 'players?q=player77@example.com' },
  { name: 'players, address', path: 'players?q=10.7.7.7' },
  { name: 'players, nobody', path: 'players?q=nobody_at_all' },
  { name: 'players, banned', path: 'players?status=banned' },
  { name: 'players of a promoter', path: 'players?agent_id=7' },
  { name: 'a player', path: 'players/77' },
  { name: 'withdrawals', path: 'withdrawals' },
  { name: 'withdrawals, unknown', path: 'withdrawals?state=unknown' },
  { name: 'withdrawals, done', path: 'withdrawals?state=done' },
  { name: 'withdrawals of a zone', path: 'withdrawals?server_id=3' },
  { name: 'withdrawals of a zone, unknown', path: 'withdrawals?server_id=3&state=unknown' },
  { name: 'withdrawals of a player', path: 'withdrawals?player_id=77' },
  { name: 'withdrawals of a span', path: `withdrawals?from=${ago(40)}&to=${ago(39)}` },
  { name: 'a withdrawal', path: 'withdrawals/w-77' },
  { name: 'chat', path: 'chat' },
  { name: 'chat of a zone', path: 'chat?server_id=3' },
  { name: 'chat of an account', path: 'chat?account=player77' },
  { name: 'chat of a role', path: 'chat?role=Role77' },
  { name: 'chat of a channel', path: 'chat?channel=guild' },
  { name: 'chat, nothing', path: 'chat?role=Nobody' },
  { name: 'chat, a text', path: `chat?q=of%20the&from=${ago(1)}` },
  { name: 'chat, a text that nobody wrote', path: `chat?q=xyzzy&from=${ago(1)}` },
  { name: 'context of a line', path: 'chat/77/context' },
  { name: 'audit', path: 'audit' },
];

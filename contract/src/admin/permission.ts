/** What an operator's role allows. */
export type Permission =
  | 'read'
  | 'personal'
  | 'players.write'
  | 'chat.read'
  | 'withdrawals.settle'
  | 'zones.write'
  | 'promoters.write'
  | 'controls.write'
  | 'audit.read'
  | 'system.read'
  | 'operators.write'
  | 'webhooks.write';

import type { RefusalCode, WithdrawState } from '@gatehouse/contract';

/** A role in a request: its id or its exact name. */
export type RoleRef = number | string;

/** The outcome that an operator settles an unknown withdrawal with. */
export type SettledState = 'done' | 'failed';

/** The first operator's decision on a withdrawal that needs two. */
export interface Proposal {
  readonly state: SettledState;
  readonly by: string;
  /** `console` or `cli`; null in proposals from earlier versions. */
  readonly via: string | null;
  readonly at: number;
}

/** A withdrawal as stored in the database. */
export interface Withdrawal {
  readonly id: string;
  readonly playerId: number;
  readonly requestKey: string | null;
  readonly fingerprint: string;
  readonly serverId: number;
  /** The zone in the request, if it was merged into this one. */
  readonly originServerId: number | null;
  /** As in the request. */
  readonly role: RoleRef;
  readonly roleId: number | null;
  readonly roleName: string | null;
  readonly amount: number;
  readonly state: WithdrawState;
  /** Why it was refused or failed. */
  readonly resultCode: RefusalCode | null;
  readonly openKey: string | null;
  readonly balanceBefore: number | null;
  readonly balanceAfter: number | null;
  readonly claimToken: string | null;
  /** The zone's addresses at acceptance. gm_url is null in rows from before they were stored. */
  readonly gmUrl: string | null;
  readonly databaseUrl: string | null;
  readonly day: string | null;
  readonly proposed: Proposal | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Reports whether the zone still has the addresses that the withdrawal was accepted with. */
export function isAt(
  { gmUrl, databaseUrl }: Pick<Withdrawal, 'gmUrl' | 'databaseUrl'>,
  zone: Pick<Withdrawal, 'gmUrl' | 'databaseUrl'>,
): boolean {
  return gmUrl === null || (gmUrl === zone.gmUrl && databaseUrl === zone.databaseUrl);
}

/** Returns the zone with the addresses that the withdrawal was accepted with: a game server set later cannot answer for it. */
export function withAddressesOf<Z extends Pick<Withdrawal, 'gmUrl' | 'databaseUrl'>>(
  { gmUrl, databaseUrl }: Pick<Withdrawal, 'gmUrl' | 'databaseUrl'>,
  zone: Z,
): Z {
  return gmUrl === null ? zone : { ...zone, gmUrl, databaseUrl };
}

/** The report's row for a zone. Amounts are in units of the currency. */
export interface ZoneReport {
  readonly server_id: number;
  readonly done: number;
  readonly done_amount: number;
  readonly refused: number;
  readonly failed: number;
  readonly open: number;
  readonly unknown: number;
  readonly unknown_amount: number;
  /** How many of the settled withdrawals have a receipt from the zone. */
  readonly receipts: number;
  /** The sum of the zone's receipts minus the sum recorded as done for the same withdrawals. Null without receipts. */
  readonly drift: number | null;
}

/** Returns the unique key that allows one open withdrawal per role. */
export const openKeyOf = (serverId: number, roleId: number) => `${serverId}:${roleId}`;

/**
 * Returns the key used until the game has returned the role's id. It is built from the player and the role as they named it, so
 * that no player can block another's role.
 */
export const provisionalOpenKey = (serverId: number, playerId: number, roleDigest: string) =>
  `${serverId}:${playerId}:${roleDigest.slice(0, 32)}`;

/** Reports whether the state can no longer change. */
export const isFinal = (state: WithdrawState) =>
  state === 'done' || state === 'refused' || state === 'failed';

/** Reports whether a process is working on it, or recovery soon will. */
export const isUnderWay = (state: WithdrawState) => state === 'accepted' || state === 'sending';

/** Reports whether nothing was taken. */
export const tookNothing = (state: WithdrawState) => state === 'refused' || state === 'failed';

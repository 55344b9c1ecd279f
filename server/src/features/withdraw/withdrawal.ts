import type { RefusalCode, WithdrawState } from '@gatehouse/contract';

/** A role as players name one: by id, or by its exact name. */
export type RoleRef = number | string;

/** How an operator says that an unknown withdrawal ended. */
export type SettledState = 'done' | 'failed';

/** What one operator has said of a withdrawal that takes two. */
export interface Proposal {
  readonly state: SettledState;
  readonly by: string;
  /** `console` or `cli`; null for proposals of earlier versions. */
  readonly via: string | null;
  readonly at: number;
}

/** A withdrawal as the database has it. */
export interface Withdrawal {
  readonly id: string;
  readonly playerId: number;
  readonly requestKey: string | null;
  readonly fingerprint: string;
  readonly serverId: number;
  /** The zone that the request named, where it was merged into this one. */
  readonly originServerId: number | null;
  /** As the request named it. */
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
  /** The zone's addresses when it was accepted; no gm_url in rows from before they were kept. */
  readonly gmUrl: string | null;
  readonly databaseUrl: string | null;
  readonly day: string | null;
  readonly proposed: Proposal | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The zone with the addresses that the withdrawal was accepted with: a later change of the zone cannot answer for it. */
export function withAddressesOf<Z extends Pick<Withdrawal, 'gmUrl' | 'databaseUrl'>>(
  { gmUrl, databaseUrl }: Pick<Withdrawal, 'gmUrl' | 'databaseUrl'>,
  zone: Z,
): Z {
  return gmUrl === null ? zone : { ...zone, gmUrl, databaseUrl };
}

/** One zone's line of the report. Amounts in units of the currency. */
export interface ZoneReport {
  readonly server_id: number;
  readonly done: number;
  readonly done_amount: number;
  readonly refused: number;
  readonly failed: number;
  readonly open: number;
  readonly unknown: number;
  readonly unknown_amount: number;
  /** How many of the settled ones the zone gave a receipt for. */
  readonly receipts: number;
  /** What the zone's receipts say was taken, less what we call done. Null without receipts. */
  readonly drift: number | null;
}

/** One open withdrawal per role: what the unique key is made of. */
export const openKeyOf = (serverId: number, roleId: number) => `${serverId}:${roleId}`;

/**
 * Stands in for it until the game has given the role's id: the role as this player names it, so that no player can
 * block another's role.
 */
export const provisionalOpenKey = (serverId: number, playerId: number, roleDigest: string) =>
  `${serverId}:${playerId}:${roleDigest.slice(0, 32)}`;

/** Nothing in it changes any more. */
export const isFinal = (state: WithdrawState) =>
  state === 'done' || state === 'refused' || state === 'failed';

/** A process is working on it, or recovery soon will. */
export const isUnderWay = (state: WithdrawState) => state === 'accepted' || state === 'sending';

/** Both mean that nothing was taken. */
export const tookNothing = (state: WithdrawState) => state === 'refused' || state === 'failed';

import type { RefusalCode, WithdrawState } from '@gatehouse/contract';

/** A role as players name one: by id, or by its exact name. */
export type RoleRef = number | string;

/** A withdrawal as the database has it. */
export interface Withdrawal {
  readonly id: string;
  readonly playerId: number;
  readonly requestKey: string | null;
  readonly fingerprint: string;
  readonly serverId: number;
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
  readonly day: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
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

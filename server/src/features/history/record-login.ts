import type { RefusalCode } from '@gatehouse/contract';

export type LoginKind = 'login' | 'register' | 'forum' | 'enter' | 'refused';

/** A player's login, or one that was refused at the player's account. */
export interface Login {
  /** Undefined if the account does not exist. Recording takes the same time, but nothing is stored. */
  readonly playerId: number | undefined;
  readonly kind: LoginKind;
  /** Why it was refused. */
  readonly code?: RefusalCode;
  /** The zone that was entered. */
  readonly serverId?: number;
  readonly address: string;
  readonly userAgent: string | undefined;
}

/** Accepts a login and returns at once. It is written later in a batch. */
export type RecordLogin = (login: Login) => void;

import type { RefusalCode } from '@gatehouse/contract';

export type LoginKind = 'login' | 'register' | 'forum' | 'enter' | 'refused';

/** A player comes in, or somebody is refused at the player's account. */
export interface Login {
  /** Undefined where nobody has the account: it takes the same time to record, and is not kept. */
  readonly playerId: number | undefined;
  readonly kind: LoginKind;
  /** Why it was refused. */
  readonly code?: RefusalCode;
  /** The zone that was entered. */
  readonly serverId?: number;
  readonly address: string;
  readonly userAgent: string | undefined;
}

/** Takes a login in and returns at once; it is written later, with others. */
export type RecordLogin = (login: Login) => void;

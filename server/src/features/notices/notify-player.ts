import type { Notice } from '../../integrations/notice-mail.ts';

export type { Notice };

/** The origin of a change. */
export interface Origin {
  readonly address: string;
  /** The language that the request prefers. */
  readonly language: string;
}

/** An event on a player's account. Without an origin if an operator caused it. */
export interface PlayerNotice extends Partial<Origin> {
  readonly playerId: number;
  readonly notice: Notice;
  /** Replaces the account's own address, if that has just changed. */
  readonly to?: string | undefined;
}

/** Notifies the player by mail. Returns at once and never fails: no request waits for a mail server. */
export type NotifyPlayer = (playerNotice: PlayerNotice) => void;

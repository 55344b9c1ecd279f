import type { Notice } from '../../integrations/notice-mail.ts';

export type { Notice };

/** Where a change came from. */
export interface Origin {
  readonly address: string;
  /** As the request prefers it. */
  readonly language: string;
}

/** Something that happened to a player's account; it has no origin where an operator did it. */
export interface PlayerNotice extends Partial<Origin> {
  readonly playerId: number;
  readonly notice: Notice;
  /** In place of the account's own address, where that was just changed. */
  readonly to?: string | undefined;
}

/** Tells the player by mail. Returns at once and never fails: no request waits for a mail server. */
export type NotifyPlayer = (playerNotice: PlayerNotice) => void;

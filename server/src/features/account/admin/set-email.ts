import { refuseField } from '../../../refusal.ts';
import type { Actor } from '../../audit/entry.ts';
import { normaliseEmail } from '../../codes/send-code.ts';
import {
  type ChangedPlayer,
  changePlayer,
  type NotifyParts,
  type OnPlayer,
  type PlayerAdminParts,
} from './change-player.ts';
import { EmailTaken } from './store.ts';

/** Changes the e-mail address of an account, which must be unique. Ends every token. */
export function setEmail({ notifyPlayer, ...parts }: PlayerAdminParts & NotifyParts) {
  const change = changePlayer(parts);
  return async (
    actor: Actor,
    { email: given, ...on }: OnPlayer & { email: string },
  ): Promise<ChangedPlayer | undefined> => {
    const email = normaliseEmail(given);
    let old = '';
    try {
      const changed = await change(actor, on, {
        action: 'player.set_email',
        next(now) {
          old = now.email;
          return old === email ? {} : { email, email_key: email, token_version: now.token_version + 1 };
        },
      });
      if (changed?.auditId && old !== '')
        notifyPlayer?.({ playerId: changed.playerId, notice: { kind: 'email', email }, to: old });
      return changed;
    } catch (error) {
      if (error instanceof EmailTaken) throw refuseField('email_taken', 'email');
      throw error;
    }
  };
}

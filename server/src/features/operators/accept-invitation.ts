import { Refusal } from '../../refusal.ts';
import type { Argon2Passwords } from '../../security/argon2.ts';
import type { LoginThrottle } from '../../security/login-throttle.ts';
import type { AuditStore } from '../audit/store.ts';
import { hashToken } from './authenticate.ts';
import { type Caller, type OpenedSession, openSession } from './open-session.ts';
import { refuseWeakForOperators } from './password.ts';
import type { SessionStore } from './session-store.ts';
import type { OperatorStore } from './store.ts';

export interface AcceptInvitationParts {
  readonly operators: OperatorStore;
  readonly sessions: SessionStore;
  readonly passwords: Argon2Passwords;
  readonly throttle: LoginThrottle;
  readonly audit: Pick<AuditStore, 'transaction'>;
}

/** Sets the password of an invited operator and logs in. An invitation is valid once. */
export function acceptInvitation(parts: AcceptInvitationParts) {
  const { operators, passwords, throttle, audit } = parts;
  return async (
    { invitation, password }: { invitation: string; password: string },
    caller: Caller,
  ): Promise<OpenedSession> => {
    const invitationHash = hashToken(invitation);
    const invited = await throttle.judgeCode(caller.address, () => operators.findInvited(invitationHash));
    if (!invited) throw new Refusal('invalid_ticket');
    await refuseWeakForOperators(password, invited.name);
    const passwordHash = await passwords.hash(password, true);
    return audit.transaction(async (trx, append) => {
      if (!(await operators.acceptInvitation(trx, { id: invited.id, invitationHash, passwordHash })))
        throw new Refusal('invalid_ticket');
      await append({
        actor: { name: invited.name, via: 'console', ip: caller.address, requestId: caller.requestId },
        action: 'operator.password',
        subject: { kind: 'operator', id: invited.name },
      });
      return openSession(trx, parts, invited, caller);
    });
  };
}

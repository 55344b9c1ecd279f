import { randomBytes } from 'node:crypto';
import type { OperatorSession } from '@gatehouse/contract/admin';
import type { Trx } from '../../db/transaction.ts';
import { Refusal } from '../../refusal.ts';
import { isUsualAddress } from '../../security/addresses.ts';
import { refuseWeak } from '../../security/password-policy.ts';
import { hashToken, type OperatorDeps } from './authenticate.ts';
import { sessionOf } from './operator.ts';
import type { OperatorCredentials } from './store.ts';

export interface OperatorLogin {
  readonly name: string;
  readonly password: string;
  readonly code?: string | undefined;
}

/** Why a login failed. Recorded in the audit only, never returned. */
type Failure = 'unknown name' | 'wrong password' | 'disabled' | 'wrong code';

/**
 * Logs an operator in. Unknown name, wrong password, wrong code and disabled operator get the same answer after the same time.
 */
export function logIn(deps: OperatorDeps) {
  const { operators, passwords, twoFactor, throttle, requireProof, transaction } = deps;

  async function failureOf(
    { password, code }: OperatorLogin,
    operator: OperatorCredentials | undefined,
    address: string,
  ): Promise<Failure | undefined> {
    const isUsual = isUsualAddress(operator, address);
    const matches = await passwords.matches(password, operator?.passwordHash, isUsual);
    if (!operator) return 'unknown name';
    if (!matches) return 'wrong password';
    if (!operator.active) return 'disabled';
    if (!operator.totp) return undefined;
    if (code === undefined) throw new Refusal('second_factor_required');
    const verified = await twoFactor.verify({ kind: 'operator', id: operator.id }, code);
    return verified ? undefined : 'wrong code';
  }

  return async (
    login: OperatorLogin,
    caller: Caller & { readonly challengeSolution: string | undefined },
  ): Promise<OpenedSession> => {
    // Under pressure, strangers must solve a proof of work before the hash, so that a flood does not keep operators out at their
    // usual addresses.
    await requireProof('operator_login', caller, async () =>
      isUsualAddress(await operators.findByName(login.name), caller.address),
    );
    let failure: Failure | undefined = 'unknown name';
    const operator = await throttle.judge({
      subject: login.name,
      address: caller.address,
      find: () => operators.findByName(login.name),
      async isRight(found) {
        failure = await failureOf(login, found, caller.address);
        return failure === undefined;
      },
    });
    if (!operator) {
      await recordFailure(login.name, failure, caller);
      throw new Refusal('invalid_credentials');
    }
    return transaction(async (trx) => {
      if (!(await operators.hold(trx, operator))) throw new Refusal('invalid_credentials');
      return openSession(trx, deps, operator, caller);
    });
  };

  /** Records a failed login. An unknown name is not stored: it may be a password typed into the wrong field. */
  function recordFailure(typed: string, failure: Failure, { address, requestId }: Caller): Promise<void> {
    const known = failure !== 'unknown name';
    const actor = { name: known ? typed : 'unknown', via: 'console', ip: address, requestId } as const;
    return deps.audit.transaction(actor, async (_trx, append) => {
      await append({
        action: 'operator.login_failed',
        subject: known ? { kind: 'operator', id: typed } : undefined,
        reason: failure,
      });
    });
  }
}

/** The origin of an operator's request. */
export interface Caller {
  readonly address: string;
  readonly requestId: string;
}

/** A new session. The token goes into the cookie and is not stored. */
export interface OpenedSession {
  readonly token: string;
  readonly session: OperatorSession;
}

export async function openSession(
  trx: Trx,
  { operators, sessions }: OperatorDeps,
  operator: OperatorCredentials,
  { address }: Caller,
): Promise<OpenedSession> {
  const token = randomBytes(32).toString('base64url');
  await sessions.open(trx, { tokenHash: hashToken(token), operatorId: operator.id, ip: address });
  await operators.recordLogin(trx, operator, address);
  return { token, session: sessionOf(operator) };
}

/** Returns the operator of an invitation that is still valid. */
export function findInvited({ operators, throttle }: OperatorDeps) {
  return async (invitation: string, { address }: Pick<Caller, 'address'>) => {
    const invited = await throttle.judgeCode(address, () => operators.findInvited(hashToken(invitation)));
    if (!invited) throw new Refusal('invalid_ticket');
    return invited;
  };
}

/** Sets the password of an invited operator and logs in. An invitation is valid once. */
export function acceptInvitation(deps: OperatorDeps) {
  const { operators, passwords, audit } = deps;
  const find = findInvited(deps);
  return async (
    { invitation, password }: { invitation: string; password: string },
    caller: Caller,
  ): Promise<OpenedSession> => {
    const invitationHash = hashToken(invitation);
    const invited = await find(invitation, caller);
    await refuseWeakForOperators(password, invited.name);
    const passwordHash = await passwords.hash(password, true);
    const { address: ip, requestId } = caller;
    const actor = { name: invited.name, via: 'console', ip, requestId } as const;
    return audit.transaction(actor, async (trx, append) => {
      if (!(await operators.acceptInvitation(trx, { id: invited.id, invitationHash, passwordHash })))
        throw new Refusal('invalid_ticket');
      await append({
        action: 'operator.password',
        subject: { kind: 'operator', id: invited.name },
      });
      return openSession(trx, deps, invited, caller);
    });
  };
}

const POLICY = { password_min: 12, password_max: 128, refuse_common_passwords: true };

export const refuseWeakForOperators = (password: string, name: string) => refuseWeak(password, name, POLICY);

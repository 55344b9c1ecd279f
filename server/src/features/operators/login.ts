import type { Trx } from '../../db/transaction.ts';
import { Refusal } from '../../refusal.ts';
import { isUsualAddress } from '../../security/addresses.ts';
import type { Argon2Passwords } from '../../security/argon2.ts';
import type { LoginThrottle } from '../../security/login-throttle.ts';
import type { RequireProof } from '../../security/proof-of-work.ts';
import type { AuditStore } from '../audit/store.ts';
import type { TwoFactor } from '../two-factor/two-factor.ts';
import { type Caller, type OpenedSession, openSession } from './open-session.ts';
import type { SessionStore } from './session-store.ts';
import type { OperatorCredentials, OperatorStore } from './store.ts';

export interface OperatorLoginParts {
  readonly operators: OperatorStore;
  readonly sessions: SessionStore;
  readonly passwords: Argon2Passwords;
  readonly twoFactor: TwoFactor;
  readonly throttle: LoginThrottle;
  readonly requireProof: RequireProof;
  readonly audit: Pick<AuditStore, 'transaction'>;
  readonly transaction: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;
}

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
export function logIn(parts: OperatorLoginParts) {
  const { operators, passwords, twoFactor, throttle, requireProof, transaction } = parts;

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
    // Under pressure, strangers pay for the hash first. A flood must not keep operators out at their usual addresses.
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
    return transaction((trx) => openSession(trx, parts, operator, caller));
  };

  /** Records a failed login. An unknown name is not stored: it may be a password typed into the wrong field. */
  function recordFailure(typed: string, failure: Failure, { address, requestId }: Caller): Promise<void> {
    const known = failure !== 'unknown name';
    return parts.audit.transaction(async (_trx, append) => {
      await append({
        actor: { name: known ? typed : 'unknown', via: 'console', ip: address, requestId },
        action: 'operator.login_failed',
        subject: known ? { kind: 'operator', id: typed } : undefined,
        reason: failure,
      });
    });
  }
}

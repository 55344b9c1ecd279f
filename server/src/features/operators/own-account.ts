import type { OperatorSession } from '@gatehouse/contract/admin';
import type { OperatorIdentity } from '../../http/operator.ts';
import { Refusal } from '../../refusal.ts';
import type { OperatorDeps } from './authenticate.ts';
import { refuseWeakForOperators } from './login.ts';
import { sessionOf } from './operator.ts';
import type { OperatorCredentials } from './store.ts';

/** Operators' actions on their own password and second factor. */
export function ownAccount({ operators, sessions, passwords, twoFactor, throttle, audit }: OperatorDeps) {
  /** Proves the operator behind the session again, by password and, if given, by code. */
  async function prove(
    { name, actor }: OperatorIdentity,
    { password, code }: { password?: string; code?: string },
  ): Promise<OperatorCredentials> {
    const proven = await throttle.judge({
      subject: name,
      address: actor.ip,
      find: () => operators.findByName(name),
      async isRight(found) {
        if (!found) return false;
        if (password !== undefined && !(await passwords.matches(password, found.passwordHash, true)))
          return false;
        return code === undefined || twoFactor.verify({ kind: 'operator', id: found.id }, code);
      },
    });
    if (!proven) throw new Refusal('invalid_credentials');
    return proven;
  }

  return {
    async changePassword(
      operator: OperatorIdentity,
      { oldPassword, password }: { oldPassword: string; password: string },
    ): Promise<OperatorSession> {
      const { operatorId, tokenHash } = ownSession(operator);
      const proven = await prove(operator, { password: oldPassword });
      await refuseWeakForOperators(password, operator.name);
      const to = await passwords.hash(password, true);
      await audit.transaction(operator.actor, async (trx, append) => {
        const from = proven.storedHash ?? '';
        if (!(await operators.changePassword(trx, { id: operatorId, from, to })))
          throw new Refusal('invalid_credentials');
        await sessions.endAll(trx, operatorId, tokenHash);
        await append({ ...ownEntry(operator), action: 'operator.password' });
      });
      return sessionOf(operator);
    },

    beginTotp: (operator: OperatorIdentity) =>
      twoFactor.begin({ kind: 'operator', id: ownSession(operator).operatorId }, operator.name),

    /** Ends every other session of the operator: none of them has presented a code. */
    async confirmTotp(operator: OperatorIdentity, code: string): Promise<{ recovery_codes: string[] }> {
      const { operatorId, tokenHash } = ownSession(operator);
      const owner = { kind: 'operator', id: operatorId } as const;
      const confirmation = await throttle.judgeCode(operator.actor.ip, () => twoFactor.confirm(owner, code));
      if (!confirmation) throw new Refusal('invalid_credentials');
      await audit.transaction(operator.actor, async (trx, append) => {
        if (!(await confirmation.apply(trx))) throw new Refusal('invalid_credentials');
        await operators.touch(trx, operatorId);
        await sessions.endAll(trx, operatorId, tokenHash);
        await append({ ...ownEntry(operator), action: 'operator.totp', ...totpChange(false, true) });
      });
      return { recovery_codes: [...confirmation.recoveryCodes] };
    },

    async removeTotp(operator: OperatorIdentity, proof: { password: string; code: string }): Promise<void> {
      const { operatorId } = ownSession(operator);
      await prove(operator, proof);
      await audit.transaction(operator.actor, async (trx, append) => {
        if (!(await twoFactor.remove(trx, { kind: 'operator', id: operatorId }))) return;
        await append({ ...ownEntry(operator), action: 'operator.totp', ...totpChange(true, false) });
      });
    },
  };
}

/** Refuses keys, which have no password or second factor of their own. */
function ownSession({ session }: OperatorIdentity) {
  if (!session) throw new Refusal('permission_denied');
  return session;
}

const ownEntry = ({ name }: OperatorIdentity) => ({ subject: { kind: 'operator', id: name } });
const totpChange = (before: boolean, after: boolean) => ({
  before: { totp: before },
  after: { totp: after },
});

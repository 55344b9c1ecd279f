import { randomBytes } from 'node:crypto';
import type { Trx } from '../../db/transaction.ts';
import { Refusal } from '../../refusal.ts';
import type { KeyedHash } from '../../security/keyed-hash.ts';
import { type Sealer, sealContext } from '../../security/sealer.ts';
import { base32, newTotpSecret, otpauthUrl, totpStep } from '../../security/totp.ts';
import type { Owner, TwoFactorStore } from './store.ts';

export interface TwoFactorDeps {
  readonly store: TwoFactorStore;
  readonly sealer: Sealer;
  readonly hashRecoveryCode: KeyedHash;
  readonly transaction: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;
  /** Shown by the authenticator. */
  readonly issuer: string;
}

/** A right code. It is used up in the transaction it authorizes, so that a refusal leaves it valid. */
export interface ProvenCode {
  /** Returns false if it was used meanwhile. Each code is valid once across all instances. */
  use(trx: Trx): Promise<boolean>;
}

const RECOVERY_CODES = 10;
const RECOVERY_CODE_BYTES = 10;

export type TwoFactor = ReturnType<typeof createTwoFactor>;

/** A second factor with one-time codes and recovery codes. */
export function createTwoFactor(deps: TwoFactorDeps) {
  const { store, sealer, hashRecoveryCode, transaction, issuer } = deps;
  const hashedParts = ({ kind, id }: Owner, code: string) => [kind, String(id), plain(code)];

  return {
    isOn: async (owner: Owner): Promise<boolean> => (await store.stateOf(owner))?.confirmed === true,

    /** Creates a secret, which takes effect when it is confirmed. */
    async begin(owner: Owner, account: string) {
      const secret = newTotpSecret();
      const kept = await transaction((trx) =>
        store.keepPending(trx, owner, sealer.seal(secret, sealContext.twoFactor(owner))),
      );
      if (!kept) throw new Refusal('already_bound');
      return { secret, otpauth_url: otpauthUrl({ secret, issuer, account }) };
    },

    /** Returns the confirmation that turns it on, if the code is right. */
    async confirm(owner: Owner, code: string) {
      const state = await store.stateOf(owner);
      if (state?.confirmed) throw new Refusal('already_bound');
      const step = state && stepOf(state.secret, owner, code);
      if (!state || step === undefined) return undefined;
      const { recoveryCodes, apply } = newRecoveryCodes(owner);
      return {
        recoveryCodes,
        /** Confirms the secret. Returns false if another has replaced it meanwhile. */
        async apply(trx: Trx) {
          if (!(await store.confirm(trx, owner, { secret: state.secret, step }))) return false;
          await apply(trx);
          return true;
        },
      };
    },

    newRecoveryCodes,
    countRecoveryCodes: store.countRecoveryCodes,

    prove,

    /** Reports whether the code is right, and uses it up. */
    async verify(owner: Owner, code: string): Promise<boolean> {
      const proven = await prove(owner, code);
      return proven !== undefined && (await transaction((trx) => proven.use(trx)));
    },

    /** Removes the second factor. Returns false if there was none. */
    async remove(trx: Trx, owner: Owner): Promise<boolean> {
      await store.replaceRecoveryCodes(trx, owner, []);
      return store.remove(trx, owner);
    },
  };

  /** Returns new recovery codes, which replace the old ones when they are applied. */
  function newRecoveryCodes(owner: Owner) {
    const recoveryCodes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    const hashes = recoveryCodes.map((each) => hashRecoveryCode(...hashedParts(owner, each)));
    return { recoveryCodes, apply: (trx: Trx) => store.replaceRecoveryCodes(trx, owner, hashes) };
  }

  /** Returns a right code that has not been used, otherwise undefined. */
  async function prove(owner: Owner, code: string): Promise<ProvenCode | undefined> {
    const state = await store.stateOf(owner);
    if (!state?.confirmed) return undefined;
    if (!/^\d{6}$/.test(plain(code))) {
      const hashes = hashRecoveryCode.all(...hashedParts(owner, code));
      if (!(await store.hasRecoveryCode(owner, hashes))) return undefined;
      return { use: (trx) => store.useRecoveryCode(trx, owner, hashes) };
    }
    const { secret, lastStep } = state;
    const step = stepOf(secret, owner, code);
    if (step === undefined || step <= lastStep) return undefined;
    // Reseal under the current key, so that an old key can be dropped once every owner has logged in.
    const renewed = sealer.renew(secret, sealContext.twoFactor(owner));
    return { use: (trx) => store.useStep(trx, owner, { secret, step, renewed }) };
  }

  function stepOf(sealed: string, owner: Owner, code: string): number | undefined {
    const opened = sealer.open(sealed, sealContext.twoFactor(owner));
    return opened && totpStep(opened.bytes.toString(), plain(code), Date.now());
  }
}

/** Removes the spaces and hyphens that people type from paper. */
const plain = (code: string) => code.replaceAll(/[\s-]/g, '').toLowerCase();

function newRecoveryCode(): string {
  const text = base32(randomBytes(RECOVERY_CODE_BYTES)).toLowerCase();
  return (text.match(/.{4}/g) ?? []).join('-');
}

import { randomBytes } from 'node:crypto';
import type { Trx } from '../../db/transaction.ts';
import { Refusal } from '../../refusal.ts';
import type { KeyedHash } from '../../security/keyed-hash.ts';
import { type Sealer, sealContext } from '../../security/sealer.ts';
import { base32, newTotpSecret, otpauthUrl, totpStep } from '../../security/totp.ts';
import type { Owner, TwoFactorStore } from './store.ts';

export interface TwoFactorParts {
  readonly store: TwoFactorStore;
  readonly sealer: Sealer;
  readonly hashRecoveryCode: KeyedHash;
  readonly transaction: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;
  /** Shown by the authenticator. */
  readonly issuer: string;
}

/** A second factor by one-time codes, with recovery codes in their place. */
export interface TwoFactor {
  isOn(owner: Owner): Promise<boolean>;
  /** A new secret, not in force before it is confirmed. */
  begin(owner: Owner, account: string): Promise<{ secret: string; otpauth_url: string }>;
  /** What turns it on, when the code is right. */
  confirm(owner: Owner, code: string): Promise<Confirmation | undefined>;
  /** A right code that was not used so far; undefined for any other. */
  prove(owner: Owner, code: string): Promise<ProvenCode | undefined>;
  /** Whether the code is right, and uses it up. */
  verify(owner: Owner, code: string): Promise<boolean>;
  /** Takes it off; false where it was off. */
  remove(trx: Trx, owner: Owner): Promise<boolean>;
}

/** Used up only in the transaction of what it is for, so a refusal there leaves it good. */
export interface ProvenCode {
  /** False where it was used meanwhile: each is good once, on all instances together. */
  use(trx: Trx): Promise<boolean>;
}

export interface Confirmation {
  readonly recoveryCodes: readonly string[];
  /** Puts the secret in force; false where another has taken its place meanwhile. */
  apply(trx: Trx): Promise<boolean>;
}

const RECOVERY_CODES = 10;
const RECOVERY_CODE_BYTES = 10;

export function createTwoFactor(parts: TwoFactorParts): TwoFactor {
  const { store, sealer, hashRecoveryCode, transaction, issuer } = parts;
  const hashedParts = ({ kind, id }: Owner, code: string) => [kind, String(id), plain(code)];

  return {
    isOn: async (owner) => (await store.stateOf(owner))?.confirmed === true,

    async begin(owner, account) {
      const secret = newTotpSecret();
      const kept = await transaction((trx) =>
        store.keepPending(trx, owner, sealer.seal(secret, sealContext.twoFactor(owner))),
      );
      if (!kept) throw new Refusal('already_bound');
      return { secret, otpauth_url: otpauthUrl({ secret, issuer, account }) };
    },

    async confirm(owner, code) {
      const state = await store.stateOf(owner);
      if (state?.confirmed) throw new Refusal('already_bound');
      const step = state && stepOf(state.secret, owner, code);
      if (!state || step === undefined) return undefined;
      const recoveryCodes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
      const hashes = recoveryCodes.map((each) => hashRecoveryCode(...hashedParts(owner, each)));
      return {
        recoveryCodes,
        async apply(trx) {
          if (!(await store.confirm(trx, owner, { secret: state.secret, step }))) return false;
          await store.replaceRecoveryCodes(trx, owner, hashes);
          return true;
        },
      };
    },

    prove,

    async verify(owner, code) {
      const proven = await prove(owner, code);
      return proven !== undefined && (await transaction((trx) => proven.use(trx)));
    },

    async remove(trx, owner) {
      await store.replaceRecoveryCodes(trx, owner, []);
      return store.remove(trx, owner);
    },
  };

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
    // So that a key which was replaced can be given up when everybody has come once.
    const renewed = sealer.renew(secret, sealContext.twoFactor(owner));
    return { use: (trx) => store.useStep(trx, owner, { secret, step, renewed }) };
  }

  function stepOf(sealed: string, owner: Owner, code: string): number | undefined {
    const opened = sealer.open(sealed, sealContext.twoFactor(owner));
    return opened && totpStep(opened.bytes.toString(), plain(code), Date.now());
  }
}

/** As people type it from paper, with spaces and hyphens or without. */
const plain = (code: string) => code.replaceAll(/[\s-]/g, '').toLowerCase();

function newRecoveryCode(): string {
  const text = base32(randomBytes(RECOVERY_CODE_BYTES)).toLowerCase();
  return (text.match(/.{4}/g) ?? []).join('-');
}

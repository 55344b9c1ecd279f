import { randomInt } from 'node:crypto';
import type { CodePurpose } from '@gatehouse/contract';
import type { Mailer } from '../../integrations/mailer.ts';
import { Refusal } from '../../refusal.ts';
import { networkOf } from '../../security/addresses.ts';
import type { KeyedHash } from '../../security/keyed-hash.ts';
import type { Limit, Limiter } from '../../security/throttle.ts';
import type { CodeStore } from './store.ts';
import type { WrongCodes } from './wrong-codes.ts';

export const CODE_LIFETIME_S = 60;

export interface CodeThrottle {
  readonly email: Limiter;
  readonly address: Limiter;
  readonly limits: () => { readonly email: Limit };
  readonly refused: (throttle: string) => void;
}

export interface SendCodeParts {
  readonly codes: CodeStore;
  readonly hash: KeyedHash;
  readonly mailer: Mailer;
  readonly codeThrottle: CodeThrottle;
  readonly wrong: WrongCodes;
  readonly requireRegistrationOpen: () => Promise<void>;
}

export interface CodeRequest {
  readonly email: string;
  readonly purpose?: CodePurpose;
  readonly address: string;
  readonly language: string;
}

/** Mails six digits. Whether the address has an account is never looked at, so the answer cannot tell. */
export function sendCode(parts: SendCodeParts) {
  const { codes, hash, mailer, codeThrottle, wrong, requireRegistrationOpen } = parts;

  async function refuseUseless(email: string, purpose: CodePurpose | undefined): Promise<void> {
    if (purpose === 'register') await requireRegistrationOpen();
    await wrong.refuseUsedUp(email);
  }

  /** The newest code alone is good, but not before its mail is out. */
  async function mailCode(email: string, { purpose, language }: CodeRequest): Promise<void> {
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const lifetimeMs = CODE_LIFETIME_S * 1000;
    const id = await codes.add({ email, hash: hash(email, code), purpose, lifetimeMs });
    try {
      await mailer.sendCode({ to: email, code, lifetime: CODE_LIFETIME_S, purpose, language });
    } catch (error) {
      await codes.remove(id);
      throw error;
    }
    await codes.voidEarlier(email, id);
  }

  return async (request: CodeRequest) => {
    const email = normaliseEmail(request.email);
    const giveBack = await takeTurn(codeThrottle, email, request.address);
    try {
      await refuseUseless(email, request.purpose);
      await mailCode(email, request);
    } catch (error) {
      await giveBack();
      throw error;
    }
    return { expires_in: CODE_LIFETIME_S, resend_after: codeThrottle.limits().email.window };
  };
}

export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Counts before sending, so that parallel requests send no more than the limits allow; without a mail the turn is given back. */
async function takeTurn(
  throttle: CodeThrottle,
  email: string,
  address: string,
): Promise<() => Promise<unknown>> {
  const network = networkOf(address);
  const byAddress = await throttle.address.hit(network);
  if (byAddress.over) refuse(throttle, 'code_address', byAddress.retryAfter);
  const byEmail = await throttle.email.hit(email);
  if (byEmail.over) {
    await throttle.address.undo(network);
    refuse(throttle, 'code_email', byEmail.retryAfter);
  }
  return () => Promise.all([throttle.address.undo(network), throttle.email.undo(email)]);
}

function refuse(throttle: CodeThrottle, name: string, retryAfter: number): never {
  throttle.refused(name);
  throw new Refusal('too_many_attempts', { retryAfter, throttle: name });
}

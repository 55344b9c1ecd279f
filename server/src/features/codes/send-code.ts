import { randomInt } from 'node:crypto';
import type { CodePurpose } from '@gatehouse/contract';
import type { Mailer } from '../../integrations/mailer.ts';
import { Refusal } from '../../refusal.ts';
import { doneWithin, withTimeout } from '../../runtime/with-timeout.ts';
import { networkOf } from '../../security/addresses.ts';
import type { KeyedHash } from '../../security/keyed-hash.ts';
import type { Limit, Limiter } from '../../security/throttle.ts';
import type { CodeStore } from './store.ts';
import { callerOf, type WrongCodes } from './use-code.ts';

export const CODE_LIFETIME_S = 60;
const CLOSE_WITHIN_MS = 3000;

export interface CodeThrottle {
  readonly email: Limiter;
  readonly address: Limiter;
  readonly limits: () => { readonly email: Limit };
  readonly refused: (throttle: string) => void;
}

export interface SendCodeDeps {
  readonly codes: CodeStore;
  readonly hash: KeyedHash;
  readonly mailer: Pick<Mailer, 'sendCode' | 'answerWithinMs'>;
  readonly codeThrottle: CodeThrottle;
  readonly wrong: Pick<WrongCodes, 'refuseUsedUp'>;
  readonly requireRegistrationOpen: () => Promise<void>;
}

export type CodeSender = ReturnType<typeof codeSender>;

export interface CodeRequest {
  readonly email: string;
  readonly purpose?: CodePurpose;
  readonly address: string;
  readonly language: string;
}

/** Mails a six-digit code. Never checks whether the address has an account, so the answer cannot reveal it. */
export function codeSender(deps: SendCodeDeps) {
  const { codes, hash, mailer, codeThrottle, wrong, requireRegistrationOpen } = deps;
  const mailings = new Set<Promise<boolean>>();

  async function refuseUseless(email: string, { purpose, address }: CodeRequest): Promise<void> {
    if (purpose === 'register') await requireRegistrationOpen();
    await wrong.refuseUsedUp(callerOf({ email, address }, await codes.ownersOf(email)));
  }

  /** Resolves to false if the mail may still arrive. If it certainly does not, its code is removed. */
  async function mailCode(email: string, { purpose, language }: CodeRequest): Promise<boolean> {
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const lifetimeMs = CODE_LIFETIME_S * 1000;
    const id = await codes.add({ email, hash: hash(email, code), purpose, lifetimeMs });
    const mail = { to: email, code, lifetime: CODE_LIFETIME_S, purpose, language };
    const isSent = await mailer.sendCode(mail).catch(async (error) => {
      await codes.remove(id);
      throw error;
    });
    await codes.voidEarlier({ email, purpose }, id);
    return isSent;
  }

  async function mailInTurn(request: CodeRequest): Promise<boolean> {
    const email = normaliseEmail(request.email);
    // Count each purpose separately, so that a stranger's request for another purpose cannot keep the owner from a new password.
    const turn = `${email} ${request.purpose ?? ''}`.trimEnd();
    const giveBack = await reserveSend(codeThrottle, turn, request.address);
    try {
      await refuseUseless(email, request);
      return await mailCode(email, request);
    } catch (error) {
      await giveBack();
      throw error;
    }
  }

  return {
    async send(request: CodeRequest) {
      const mailing = mailInTurn(request);
      mailings.add(mailing);
      mailing.catch(() => {}).finally(() => mailings.delete(mailing));
      // Do not wait for a slow mail server. The mail may still arrive, so its code stays valid and the request stays counted.
      if (!(await withTimeout(mailing, mailer.answerWithinMs, unconfirmed))) throw unconfirmed();
      return { expires_in: CODE_LIFETIME_S, resend_after: codeThrottle.limits().email.window };
    },
    /** Waits briefly for the mails in flight. */
    async close(): Promise<void> {
      await doneWithin(Promise.allSettled(mailings), CLOSE_WITHIN_MS);
    },
  };
}

const unconfirmed = () => new Refusal('mail_unavailable', { variant: 'unconfirmed' });

export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Counts before sending, so that parallel requests stay within the limits. Returns a function that takes the count back. */
async function reserveSend(
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

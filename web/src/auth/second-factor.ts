import type { Session } from '@gatehouse/contract/player';
import { failureOf, secondFactorChallenge } from '../api/failure.ts';

/** The result of a login: a session, or a challenge for the second step. */
export type FirstStep = Session | { readonly challenge: string };

export async function firstStep(login: Promise<Session>): Promise<FirstStep> {
  try {
    return await login;
  } catch (thrown) {
    const challenge = secondFactorChallenge(failureOf(thrown));
    if (challenge === null) throw thrown;
    return { challenge };
  }
}

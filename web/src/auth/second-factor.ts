import type { Session } from '@gatehouse/contract/player';
import { failureOf, secondFactorChallenge } from '../api/failure.ts';

/** Where a login leads: into a session, or to the second step, which goes on with the challenge. */
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

import { GatehouseError, type Session } from '@gatehouse/client';

/** The result of a login: a session, or a challenge for the second step. */
export type FirstStep = Session | { readonly challenge: string };

export async function firstStep(login: Promise<Session>): Promise<FirstStep> {
  try {
    return await login;
  } catch (thrown) {
    const challenge = thrown instanceof GatehouseError ? thrown.secondFactorChallenge : null;
    if (challenge === null) throw thrown;
    return { challenge };
  }
}

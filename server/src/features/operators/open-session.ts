import { randomBytes } from 'node:crypto';
import type { OperatorSession } from '@gatehouse/contract/admin';
import type { Trx } from '../../db/transaction.ts';
import { hashToken } from './authenticate.ts';
import { sessionOf } from './operator.ts';
import type { SessionStore } from './session-store.ts';
import type { OperatorCredentials, OperatorStore } from './store.ts';

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
  { operators, sessions }: { operators: OperatorStore; sessions: SessionStore },
  operator: OperatorCredentials,
  { address }: Caller,
): Promise<OpenedSession> {
  const token = randomBytes(32).toString('base64url');
  await sessions.open(trx, { tokenHash: hashToken(token), operatorId: operator.id, ip: address });
  await operators.recordLogin(trx, operator, address);
  return { token, session: sessionOf(operator) };
}

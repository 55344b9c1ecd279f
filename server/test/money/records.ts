import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/db/open.ts';
import type { History, Record } from './judge.ts';

const SETTLING_MS = 180_000;

/** Waits until recovery and receipts have settled what the faults left open. */
export async function settledRecordsOf({ kysely }: Db): Promise<Record[]> {
  const read = () => kysely.selectFrom('withdraw').select(['id', 'amount', 'state']).execute();
  for (const deadline = Date.now() + SETTLING_MS; Date.now() < deadline; await sleep(500)) {
    const open = (await read()).filter(({ state }) => ['accepted', 'sending', 'unknown'].includes(state));
    if (open.length === 0) break;
  }
  return read();
}

export async function historyOf({ kysely }: Db): Promise<History> {
  const days = await kysely.selectFrom('withdraw_day').select('amount').execute();
  const events = await kysely
    .selectFrom('withdraw_event')
    .select(['withdraw_id', 'from_state', 'to_state'])
    .orderBy('withdraw_id')
    .orderBy('seq')
    .execute();
  return { dayTotal: days.reduce((sum, { amount }) => sum + amount, 0), events };
}

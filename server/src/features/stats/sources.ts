import type { Db } from '../../db/open.ts';
import type { LocalTime } from '../../runtime/time.ts';
import { loginSource } from './sources/login-store.ts';
import { registrationSource } from './sources/registration-store.ts';
import { withdrawalSource } from './sources/withdrawal-store.ts';
import type { StatSource } from './store.ts';

/** Lists every table whose rows are summed. */
export function statSources(db: Db, time: LocalTime): StatSource[] {
  return [
    registrationSource(db, time),
    loginSource(db, time),
    withdrawalSource(db, time, 'done'),
    withdrawalSource(db, time, 'failed'),
  ];
}

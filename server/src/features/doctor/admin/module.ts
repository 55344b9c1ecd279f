import type { Db } from '../../../db/open.ts';
import { doctorStore } from '../store.ts';

/** What the doctor asks the database itself. */
export function openDoctorAdmin({ db }: { readonly db: Db }) {
  return doctorStore(db);
}

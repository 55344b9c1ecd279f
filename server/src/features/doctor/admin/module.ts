import type { Db } from '../../../db/open.ts';
import { doctorStore } from '../store.ts';

/** The doctor's queries about the database itself. */
export function openDoctorAdmin({ db }: { readonly db: Db }) {
  return doctorStore(db);
}

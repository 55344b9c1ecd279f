import type { Db } from '../../../db/open.ts';
import { createPasswords } from '../../../security/passwords.ts';
import type { Settings } from '../../../settings/schema.ts';
import { auditStore } from '../../audit/store.ts';
import { ban, unban } from './ban.ts';
import { setPassword } from './set-password.ts';
import { signOut } from './sign-out.ts';
import { playerAdminStore } from './store.ts';

export function openPlayerAdmin({
  db,
  settings: { auth },
}: {
  readonly db: Db;
  readonly settings: Settings;
}) {
  const players = playerAdminStore(db);
  const parts = { players, audit: auditStore(db) };
  return {
    show: players.show,
    ban: ban(parts),
    unban: unban(parts),
    signOut: signOut(parts),
    setPassword: setPassword({ ...parts, passwords: createPasswords(auth.password_key), policy: auth }),
  };
}

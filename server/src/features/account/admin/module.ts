import type { Db } from '../../../db/open.ts';
import { createPasswordHashes } from '../../../security/password-hashes.ts';
import { createPlayerPasswords } from '../../../security/player-passwords.ts';
import type { Settings } from '../../../settings/schema.ts';
import { auditStore } from '../../audit/store.ts';
import { historyStore } from '../../history/store.ts';
import { openTwoFactor } from '../../two-factor/module.ts';
import { addNote } from './add-note.ts';
import { ban, unban, unlock } from './ban.ts';
import type { NotifyParts } from './change-player.ts';
import { findPlayers } from './find-players.ts';
import { playerPageStore } from './page-store.ts';
import { playerSearchStore } from './search-store.ts';
import { setEmail } from './set-email.ts';
import { resetPassword, setPassword } from './set-password.ts';
import { showPlayer } from './show-player.ts';
import { signOut } from './sign-out.ts';
import { playerAdminStore } from './store.ts';

interface PlayerAdminContext extends NotifyParts {
  readonly db: Db;
  readonly settings: Settings;
}

export function openPlayerAdmin({ db, settings, notifyPlayer }: PlayerAdminContext) {
  const players = playerAdminStore(db, createPasswordHashes(settings.auth.seal_key));
  const search = playerSearchStore(db);
  const pages = playerPageStore(db);
  const audit = auditStore(db);
  const parts = {
    players,
    audit,
    passwords: createPlayerPasswords(settings.auth),
    twoFactor: openTwoFactor({ db, settings }),
    notifyPlayer,
  };
  return {
    show: players.show,
    find: findPlayers(search),
    byId: async (id: number) => (await search.byIds([id], {}))[0],
    page: showPlayer({ ...parts, players: search, pages, loginsOf: historyStore(db).loginsOf }),
    ban: ban(parts),
    unban: unban(parts),
    signOut: signOut(parts),
    unlock: unlock(parts),
    setPassword: setPassword({ ...parts, policy: settings.auth }),
    resetPassword: resetPassword(parts),
    setEmail: setEmail(parts),
    addNote: addNote({ ...parts, pages }),
    recordExport: auditStore(db).recordExport,
  };
}

export type PlayerAdmin = ReturnType<typeof openPlayerAdmin>;

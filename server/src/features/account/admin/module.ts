import type { Db } from '../../../db/open.ts';
import { type Enqueue, enqueueEvent } from '../../../db/outbox.ts';
import { createPasswordHashes } from '../../../security/password-hashes.ts';
import { createPlayerPasswords } from '../../../security/player-passwords.ts';
import type { Settings } from '../../../settings/schema.ts';
import { auditStore } from '../../audit/store.ts';
import type { LoginsRecorded } from '../../history/login-recorder.ts';
import { historyStore } from '../../history/store.ts';
import type { NotifyPlayer } from '../../notices/notify-player.ts';
import { openTwoFactor } from '../../two-factor/module.ts';
import type { TwoFactor } from '../../two-factor/two-factor.ts';
import { addNote, ban, mute, setEmail, signOut, unban, unlock, unmute } from './change-player.ts';
import { findPlayers } from './find-players.ts';
import { playerPageStore } from './page-store.ts';
import { playerSearchStore } from './search-store.ts';
import { resetPassword, resetTwoFactor, setPassword } from './set-password.ts';
import { showPlayer } from './show-player.ts';
import { playerAdminStore } from './store.ts';

interface PlayerAdminContext {
  readonly db: Db;
  readonly settings: Settings;
  readonly enqueue?: Enqueue;
  readonly notifyPlayer?: NotifyPlayer | undefined;
  /** The running service's instance. Commands omit it. */
  readonly twoFactor?: TwoFactor;
  readonly loginsRecorded?: LoginsRecorded;
}

export function openPlayerAdmin({
  db,
  settings,
  notifyPlayer,
  enqueue = enqueueEvent,
  loginsRecorded = async () => {},
  ...given
}: PlayerAdminContext) {
  const players = playerAdminStore(db, createPasswordHashes(settings.auth.seal_key));
  const search = playerSearchStore(db);
  const pages = playerPageStore(db);
  const audit = auditStore(db);
  const deps = {
    players,
    audit,
    enqueue,
    passwords: createPlayerPasswords(settings.auth),
    twoFactor: given.twoFactor ?? openTwoFactor({ db, settings }),
    notifyPlayer,
  };
  return {
    show: players.show,
    find: findPlayers(search),
    byId: async (id: number) => (await search.byIds([id], {}))[0],
    page: showPlayer({ ...deps, players: search, pages, history: historyStore(db), loginsRecorded }),
    ban: ban(deps),
    unban: unban(deps),
    mute: mute(deps),
    unmute: unmute(deps),
    resetTwoFactor: resetTwoFactor(deps),
    signOut: signOut(deps),
    unlock: unlock(deps),
    setPassword: setPassword(deps, settings.auth),
    resetPassword: resetPassword(deps),
    setEmail: setEmail(deps),
    addNote: addNote(deps, pages),
    recordExport: audit.recordExport,
  };
}

export type PlayerAdmin = ReturnType<typeof openPlayerAdmin>;

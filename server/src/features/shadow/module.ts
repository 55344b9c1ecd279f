import type { Db } from '../../db/open.ts';
import { createPasswordHashes } from '../../security/password-hashes.ts';
import { createPlayerPasswords } from '../../security/player-passwords.ts';
import { createTokens } from '../../security/tokens.ts';
import { fixedSettings } from '../../settings/live.ts';
import type { Settings } from '../../settings/schema.ts';
import { accountStore } from '../account/store.ts';
import { openTickets } from '../tickets/module.ts';
import { judgeWithoutTraces } from './judge.ts';
import { createShadow, type Shadow, type ShadowDeps } from './shadow.ts';

interface ShadowContext extends Omit<ShadowDeps, 'judge'> {
  readonly db: Db;
  readonly settings: Settings;
}

/** Opens a comparison with the old service on this database. Only reads. */
export function openShadow({ db, settings, ...deps }: ShadowContext): Shadow {
  const { auth } = settings;
  const live = fixedSettings(settings);
  const isRevoked = () => false;
  const { tickets } = openTickets({ db, settings: live, currentZone: (id) => id, isRevoked });
  const judge = judgeWithoutTraces({
    players: accountStore(db, createPasswordHashes(auth.seal_key)),
    passwords: createPlayerPasswords(auth),
    tokens: createTokens({ secrets: auth.jwt_secret, isRevoked }),
    settings: live,
    tickets,
  });
  return createShadow({ ...deps, judge });
}

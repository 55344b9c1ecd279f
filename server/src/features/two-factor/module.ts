import type { Db } from '../../db/open.ts';
import { createKeyedHash } from '../../security/keyed-hash.ts';
import { createSealer } from '../../security/sealer.ts';
import type { Settings } from '../../settings/schema.ts';
import { twoFactorStore } from './store.ts';
import { createTwoFactor, type TwoFactor } from './two-factor.ts';

export function openTwoFactor({
  db,
  settings: { auth, game },
}: {
  readonly db: Db;
  readonly settings: Settings;
}): TwoFactor {
  return createTwoFactor({
    store: twoFactorStore(db),
    // Without a seal key, the secrets are sealed with the token secret.
    sealer: createSealer([...(auth.seal_key ?? []), ...auth.jwt_secret]),
    hashRecoveryCode: createKeyedHash(auth.jwt_secret, 'recovery code'),
    transaction: db.transaction,
    issuer: game.name,
  });
}

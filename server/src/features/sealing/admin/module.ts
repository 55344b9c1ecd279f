import type { Db } from '../../../db/open.ts';
import { createPasswordHashes } from '../../../security/password-hashes.ts';
import type { Settings } from '../../../settings/schema.ts';
import { auditStore } from '../../audit/store.ts';
import { resealedForms, sealedForms, unsealedForms } from './forms.ts';
import { rehash } from './rehash.ts';
import { countSecrets, type Forms, rewrite } from './rewrite.ts';
import { sealingStore } from './store.ts';

/** Rewrites all stored passwords and secrets: sealed, sealed with the first key, unsealed, or as argon2id. */
export function openSealing({
  db,
  settings,
}: {
  readonly db: Db;
  readonly settings: Pick<Settings, 'auth'>;
}) {
  const { seal_key, jwt_secret } = settings.auth;
  const keys = { sealKeys: seal_key ?? [], jwtSecrets: jwt_secret, hashes: createPasswordHashes(seal_key) };
  const deps = { store: sealingStore(db), audit: auditStore(db) };
  /** Creates the forms on demand: sealing and unsealing need a seal key. */
  const run =
    (formsOf: (given: typeof keys) => Forms) =>
    (...args: Parameters<ReturnType<typeof rewrite>>) =>
      rewrite(deps, formsOf(keys))(...args);
  return {
    seal: run(sealedForms),
    unseal: run(unsealedForms),
    reseal: run(resealedForms),
    rehash: rehash({ ...deps, hashes: keys.hashes }),
    count: () => countSecrets(deps.store, resealedForms(keys)),
  };
}

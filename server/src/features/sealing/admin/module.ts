import type { Db } from '../../../db/open.ts';
import { createPasswordHashes } from '../../../security/password-hashes.ts';
import type { Settings } from '../../../settings/schema.ts';
import { auditStore } from '../../audit/store.ts';
import { sealedForms, unsealedForms } from './forms.ts';
import { rehash } from './rehash.ts';
import { rewrite } from './rewrite.ts';
import { sealingStore } from './store.ts';

type RunArguments = Parameters<ReturnType<typeof rewrite>>;

/** Rewrites all stored passwords: sealed, unsealed, or as argon2id. */
export function openSealing({ db, settings }: { readonly db: Db; readonly settings: Settings }) {
  const { seal_key, jwt_secret } = settings.auth;
  const keys = { sealKeys: seal_key ?? [], jwtSecrets: jwt_secret, hashes: createPasswordHashes(seal_key) };
  const parts = { store: sealingStore(db), audit: auditStore(db) };
  return {
    // Forms need a seal key, which is optional for a rehash.
    seal: (...run: RunArguments) => rewrite(parts, sealedForms(keys))(...run),
    unseal: (...run: RunArguments) => rewrite(parts, unsealedForms(keys))(...run),
    rehash: rehash({ ...parts, hashes: keys.hashes }),
  };
}

import type { Db } from '../../../db/open.ts';
import { createPasswordHashes } from '../../../security/password-hashes.ts';
import type { Settings } from '../../../settings/schema.ts';
import { auditStore } from '../../audit/store.ts';
import { sealedForms, unsealedForms } from './forms.ts';
import { rewrite } from './rewrite.ts';
import { sealingStore } from './store.ts';

/** Seals everything that should be sealed, or unseals everything. */
export function openSealing({ db, settings }: { readonly db: Db; readonly settings: Settings }) {
  const { seal_key, jwt_secret } = settings.auth;
  const keys = { sealKeys: seal_key ?? [], jwtSecrets: jwt_secret, hashes: createPasswordHashes(seal_key) };
  const parts = { store: sealingStore(db), audit: auditStore(db) };
  return {
    seal: rewrite(parts, sealedForms(keys)),
    unseal: rewrite(parts, unsealedForms(keys)),
  };
}

import { digestOfHash, type PasswordHashes } from '../../../security/password-hashes.ts';
import { isUsableHash } from '../../../security/passwords.ts';
import { createSealer, isSealed, type Sealer, sealContext } from '../../../security/sealer.ts';
import type { Forms } from './rewrite.ts';
import type { StoredHash, StoredSecret } from './store.ts';

export interface SealingKeys {
  readonly hashes: PasswordHashes;
  readonly sealKeys: readonly string[];
  /** Seals two-factor secrets, zone keys and webhook secrets if there is no seal key. */
  readonly jwtSecrets: readonly string[];
}

/** Seals everything under the current key: plain values, and those sealed with an older key. */
export function sealedForms({ hashes, sealKeys, jwtSecrets }: SealingKeys): Forms {
  const alwaysSealed = createSealer([...sealKeys, ...jwtSecrets]);
  const operators = createSealer(sealKeys);
  return {
    action: 'player.seal',
    state: 'sealed',
    hash({ id, stored }) {
      if (hashes.isCurrent(stored, id)) return readable(hashes, { id, stored }) ? stored : undefined;
      return hashes.seal(hashes.open(stored, id), id);
    },
    secret: ({ context, stored }) => {
      if (context.table === 'forum_account') return isUsableHash(stored) ? digestOfHash(stored) : stored;
      if (isAlwaysSealed(context)) return resealed(alwaysSealed, stored, contextOf(context));
      return isSealed(stored)
        ? resealed(operators, stored, contextOf(context))
        : operators.seal(stored, contextOf(context));
    },
  };
}

/** Seals what an older key has sealed under the current one, so that the older can be dropped. Plain values stay plain. */
export function resealedForms(keys: SealingKeys): Forms {
  const { sealKeys, jwtSecrets } = keys;
  const alwaysSealed = createSealer([...sealKeys, ...jwtSecrets]);
  const sealed = sealKeys.length === 0 ? undefined : sealedForms(keys);
  return {
    action: 'player.seal',
    state: 'resealed',
    // Without a seal key no hash is sealed, and reading all of them would change nothing.
    ...(sealed && { hash: (row) => (isSealed(row.stored) ? sealed.hash?.(row) : row.stored) }),
    secret: (row) => {
      const { context, stored } = row;
      if (isAlwaysSealed(context)) return resealed(alwaysSealed, stored, contextOf(context));
      return isSealed(stored) ? sealed?.secret(row) : stored;
    },
  };
}

/**
 * Removes the seal keys from all values, so that they can be dropped. Two-factor secrets, zone keys and webhook secrets return
 * to the token secret.
 */
export function unsealedForms({ hashes, sealKeys, jwtSecrets }: SealingKeys): Forms {
  const alwaysSealed = createSealer([...jwtSecrets, ...sealKeys]);
  const operators = createSealer(sealKeys);
  return {
    action: 'player.unseal',
    state: 'plain',
    hash: (row) => (readable(hashes, row) ? hashes.open(row.stored, row.id) : undefined),
    secret: ({ context, stored }) => {
      if (isAlwaysSealed(context)) return resealed(alwaysSealed, stored, contextOf(context));
      if (!isSealed(stored)) return stored;
      return operators.open(stored, contextOf(context))?.bytes.toString();
    },
  };
}

const readable = (hashes: PasswordHashes, { id, stored }: StoredHash) =>
  !isSealed(stored) || hashes.open(stored, id) !== '';

/** Reports whether a value is sealed with the token secret if there is no seal key. */
const isAlwaysSealed = ({ table }: StoredSecret['context']) => ALWAYS_SEALED.has(table);
const ALWAYS_SEALED = new Set<string>(['two_factor', 'zone_key', 'webhook']);

function contextOf(context: StoredSecret['context']): string {
  if (context.table === 'two_factor') return sealContext.twoFactor(context);
  if (context.table === 'zone_key') return sealContext.zoneKey(context.id);
  if (context.table === 'player') return sealContext.playerArgon2(context.id);
  if (context.table === 'webhook') return sealContext.webhook(context.id);
  return context.table === 'operator' ? sealContext.operator(context.id) : '';
}

function resealed(sealer: Sealer, stored: string, context: string): string | undefined {
  const opened = sealer.open(stored, context);
  return opened?.isCurrent ? stored : opened && sealer.seal(opened.bytes, context);
}

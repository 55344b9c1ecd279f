import type { Fields } from './forum-fetch.ts';

const MAX_ID = 191;
const MAX_NAME = 128;
const CONTROL = /[\p{Cc}\p{Cs}]/u;

/** Returns the value at a path such as `user.id`, or undefined. */
function at(profile: Fields, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Fields)[key]
          : undefined,
      profile,
    );
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return Number.isSafeInteger(value) ? String(value) : '';
}

/** Returns the account id at the provider. Refuses 0: forums use it for guests, who would all share one player. */
export function connectIdOf(profile: Fields, path: string): string {
  const id = textOf(at(profile, path));
  if (id === '' || id === '0' || id.length > MAX_ID || CONTROL.test(id))
    throw new Error(`the profile has no usable id at ${path}`);
  return id;
}

/** Returns a name to derive an account name from, or null. */
export function nameOf(profile: Fields, path: string): string | null {
  const name = [...textOf(at(profile, path))].slice(0, MAX_NAME).join('');
  return name === '' || CONTROL.test(name) ? null : name;
}

import type { Fields } from './forum-fetch.ts';

const MAX_ID = 191;
const MAX_NAME = 128;
const CONTROL = /[\p{Cc}\p{Cs}]/u;

/** What stands at `user.id`, or undefined where the path leads nowhere. */
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

/** The id of the account at the provider. 0 is refused: forums use it for guests, who would all share one player. */
export function connectIdOf(profile: Fields, path: string): string {
  const id = textOf(at(profile, path));
  if (id === '' || id === '0' || id.length > MAX_ID || CONTROL.test(id))
    throw new Error(`the profile has no usable id at ${path}`);
  return id;
}

/** A name to make an account name of; null where there is none. */
export function nameOf(profile: Fields, path: string): string | null {
  const name = [...textOf(at(profile, path))].slice(0, MAX_NAME).join('');
  return name === '' || CONTROL.test(name) ? null : name;
}

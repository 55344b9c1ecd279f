import type { TProperties, TSchema } from 'typebox';
import { orNull, strict } from '../fields.ts';
import { Type } from '../type.ts';

/** Query parameters of every list, in addition to its filters. */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 200,
      default: 50,
      description: 'Maximum number of entries per page.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 512, description: 'The `next` of the page before.' }),
  ),
  excel: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1,
      description: 'With `Accept: text/csv`: 1 starts the file with a byte-order mark, for spreadsheets.',
    }),
  ),
};

export const next = orNull(
  Type.String({ description: 'The cursor of the next page; null at the end of the list.' }),
);

export function page<const N extends string, T extends TSchema>(plural: N, entry: T) {
  return strict({ [plural]: Type.Array(entry), next } as { [K in N]: ReturnType<typeof Type.Array<T>> } & {
    next: typeof next;
  });
}

/** The answer to a change: the changed object and the id of its audit entry, or null if nothing changed. */
export function audited<P extends TProperties>(properties: P) {
  return strict({ ...properties, audit_id: orNull(Type.String()) });
}

/** Text on one line that is not only blanks. */
export const Reason = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^(?=.*[^\\s\\u200b-\\u200f\\u2060])[^\\u0000-\\u001f\\u007f]*$',
  description: 'The reason, recorded in the audit log. Must not be blank.',
});

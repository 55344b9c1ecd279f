import type { JsonSchema } from '@gatehouse/contract';
import { Check } from 'typebox/value';
import { createExamples } from './examples.ts';
import { fieldNotes } from './field-notes.ts';

/** Returns an example that fits a schema of the contract. */
export const exampleOf: (schema: JsonSchema, name?: string) => unknown = createExamples((schema, value) =>
  Check(schema as never, value),
);

/** Returns a copy in which every field has a description, unless its name says it. */
export function described(schema: JsonSchema): JsonSchema {
  const inner = (fields: Readonly<Record<string, JsonSchema>>) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => {
        const note = descriptionOf(field) === undefined ? fieldNotes[name] : undefined;
        return [name, { ...described(field), ...(note !== undefined && { description: note }) }];
      }),
    );
  return {
    ...schema,
    ...(schema.properties && { properties: inner(schema.properties) }),
    ...(schema.items && { items: described(schema.items) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(described) }),
  };
}

/** Returns the description of a field, or of its alternative that is not null. */
const descriptionOf = ({ description, anyOf = [] }: JsonSchema): string | undefined =>
  description ?? anyOf.find((each) => each.description !== undefined)?.description;

export interface Field {
  /** Includes the enclosing fields: `servers[].name`. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** Returns the objects that a schema allows: itself, or those of a union. */
export const objectsOf = (schema: JsonSchema): JsonSchema[] =>
  [schema, ...(schema.anyOf ?? [])].filter(({ properties }) => properties);

/** Lists every field of an object, each followed by the fields nested in it. */
export function fieldsOf(schema: JsonSchema, within = ''): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const name = within + key;
    const required = schema.required?.includes(key) ?? false;
    const own = { name, type: typeOf(field), required, description: descriptionOf(field) ?? '' };
    return [own, ...nestedIn(field, name)];
  });
}

function nestedIn(field: JsonSchema, name: string): Field[] {
  const [object] = objectsOf(field);
  if (object) return fieldsOf(object, `${name}.`);
  const list = [field, ...(field.anyOf ?? [])].find((each) => each.items)?.items;
  return list ? nestedIn(list, `${name}[]`) : [];
}

function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' | ');
  if (schema.type === 'array') return `${typeOf(schema.items ?? {})}[]`;
  return [schema.format ?? schema.type ?? 'any', ...limitsOf(schema)].join(', ');
}

function limitsOf({ minLength, maxLength, minimum, maximum }: JsonSchema): string[] {
  const span = (from: number | undefined, to: number | undefined) => {
    if (to !== undefined && to < Number.MAX_SAFE_INTEGER) return [`${from ?? 0}–${to}`];
    return from ? [`≥ ${from}`] : [];
  };
  return [...span(minLength, maxLength), ...span(minimum, maximum)];
}

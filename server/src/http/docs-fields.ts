/** The part of JSON Schema that the API page renders. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface Field {
  /** Includes the enclosing fields: `servers[].name`. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** Lists every field of an object, each followed by the fields nested in it. */
export function fieldsOf(schema: Schema, within = ''): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const name = within + key;
    const required = schema.required?.includes(key) ?? false;
    const own = { name, type: typeOf(field), required, description: field.description ?? '' };
    return [own, ...nestedIn(field, name)];
  });
}

function nestedIn(field: Schema, name: string): Field[] {
  const object = [field, ...(field.anyOf ?? [])].find((each) => each.properties);
  if (object) return fieldsOf(object, `${name}.`);
  const list = [field, ...(field.anyOf ?? [])].find((each) => each.items)?.items;
  return list ? nestedIn(list, `${name}[]`) : [];
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' | ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  return [schema.format ?? schema.type ?? 'any', ...limitsOf(schema)].join(', ');
}

function limitsOf({ minLength, maxLength, minimum, maximum }: Schema): string[] {
  const span = (from: number | undefined, to: number | undefined, unit: string) => {
    if (to !== undefined && to < Number.MAX_SAFE_INTEGER) return [`${from ?? 0} to ${to}${unit}`];
    return from ? [`at least ${from}${unit}`] : [];
  };
  return [...span(minLength, maxLength, ' characters'), ...span(minimum, maximum, '')];
}

import type { JsonSchema } from '@gatehouse/contract';

/** Names of schemas that get a type of their own; all others are written in place. */
export type Names = ReadonlyMap<JsonSchema, string>;

const keyOf = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`);
const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));

export const commentOf = (text: string | undefined, indent = '') =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`;

/** Returns the TypeScript type of a schema. */
export function typeOf(schema: JsonSchema, names: Names, indent = ''): string {
  const name = names.get(schema);
  if (name !== undefined) return name;
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each, names, indent)).join(' | ');
  if (schema.type === 'array') return arrayOf(typeOf(schema.items ?? {}, names, indent));
  if (schema.type === 'object') return objectOf(schema, names, indent);
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  return schema.type ?? 'unknown';
}

const arrayOf = (item: string) => (/ \| /.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`);

function objectOf(schema: JsonSchema, names: Names, indent: string): string {
  const [pattern] = Object.values(schema.patternProperties ?? {});
  if (pattern) return `Record<string, ${typeOf(pattern, names, indent)}>`;
  if (Object.keys(schema.properties ?? {}).length === 0) return 'Record<string, unknown>';
  return bodyOf(schema, names, indent);
}

/** Returns the braces of an object type with one line per field. `unset` is added to the type of optional ones. */
export function bodyOf(
  { properties = {}, required = [] }: JsonSchema,
  names: Names,
  indent = '',
  unset = '',
): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, field]) => {
    const [mark, more] = required.includes(name) ? ['', ''] : ['?', unset];
    const comment = commentOf(field.description, inner);
    return `${comment}${inner}${keyOf(name)}${mark}: ${typeOf(field, names, inner)}${more};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}

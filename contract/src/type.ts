import type TypeBox from 'typebox';

type Builders = Pick<
  typeof TypeBox,
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown'
>;

type Schema = object;

const optionalOnes = new WeakSet<Schema>();
const simple = (type: string) => (options?: object) => ({ type, ...options });

/**
 * The TypeBox builders used here, producing the same JSON Schemas with the same types. TypeBox's own load four hundred modules, a
 * tenth of the service's start time; types are free.
 */
export const Type = {
  Array: (items: Schema, options?: object) => ({ type: 'array', items, ...options }),
  Boolean: simple('boolean'),
  Enum: (values: readonly string[], options?: object) => ({ enum: values, ...options }),
  Integer: simple('integer'),
  Literal: (value: string | number | boolean, options?: object) => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Null: simple('null'),
  Number: simple('number'),
  Object: (properties: Record<string, Schema>, options?: object) => {
    const required = Object.keys(properties).filter((name) => !optionalOnes.has(properties[name] ?? {}));
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
  },
  Optional: (schema: Schema) => {
    const own = { ...schema };
    optionalOnes.add(own);
    return own;
  },
  Record: (_key: Schema, value: Schema, options?: object) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  String: simple('string'),
  Union: (anyOf: readonly Schema[], options?: object) => ({ anyOf, ...options }),
  Unknown: (options?: object) => ({ ...options }),
} as unknown as Builders;

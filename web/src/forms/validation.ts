/** The part of JSON Schema that this checker supports; the service checks the rest. */
export interface FieldSchema {
  readonly type?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface BodySchema {
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, FieldSchema>>;
}

export type Issue = 'required' | 'too_short' | 'too_long' | 'malformed' | 'too_small' | 'too_large';

/** Returns the first issue of a value, or null. Empty is an issue only if a value is required. */
export function issueOf(schema: FieldSchema, value: unknown, required: boolean): Issue | null {
  if (value === undefined || value === null || value === '') return required ? 'required' : null;
  return typeof value === 'number' ? numberIssue(schema, value) : textIssue(schema, String(value));
}

export function issuesOf(
  schema: BodySchema,
  values: Readonly<Record<string, unknown>>,
): Record<string, Issue> {
  return Object.fromEntries(
    Object.entries(schema.properties).flatMap(([field, rule]) => {
      const issue = issueOf(rule, values[field], schema.required?.includes(field) ?? false);
      return issue ? [[field, issue]] : [];
    }),
  );
}

function textIssue(
  { type, minLength = 0, maxLength = Infinity, pattern }: FieldSchema,
  text: string,
): Issue | null {
  if (type === 'integer' || type === 'number') return 'malformed';
  // JSON schema counts code points, not UTF-16 units.
  const length = [...text].length;
  if (length < minLength) return 'too_short';
  if (length > maxLength) return 'too_long';
  return pattern !== undefined && !new RegExp(pattern, 'u').test(text) ? 'malformed' : null;
}

function numberIssue(
  { type, minimum = -Infinity, maximum = Infinity }: FieldSchema,
  value: number,
): Issue | null {
  if (type === 'string' || !Number.isFinite(value)) return 'malformed';
  if (type === 'integer' && !Number.isSafeInteger(value)) return 'malformed';
  if (value < minimum) return 'too_small';
  return value > maximum ? 'too_large' : null;
}

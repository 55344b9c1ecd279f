/** A request that cannot be served; its message is for the caller. */
export class BadRequest extends Error {}

export type Fields = Readonly<Record<string, unknown>>;

export function parseFields(json: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new BadRequest('the body is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadRequest('the body is not a JSON object');
  return value as Fields;
}

export function textField(fields: Fields, name: string, maxLength: number): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '' || value.length > maxLength)
    throw new BadRequest(`${name} must be a text of 1 to ${maxLength} characters`);
  return value;
}

export function wholeField(fields: Fields, name: string, range: { min: number; max: number }): number {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < range.min || value > range.max)
    throw new BadRequest(`${name} must be a whole number from ${range.min} to ${range.max}`);
  return value;
}

import { Email, type JsonSchema, NewAccount } from '@gatehouse/contract';
import type { Static, TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import Format from 'typebox/format';
import { Compile, Errors, type Validator } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { type FieldProblem, Refusal } from '../refusal.ts';
import { isTime } from '../runtime/time.ts';

const MAX_REPORTED = 20;
const MAX_VALUES = 2000;
/** TypeBox stops at eight errors by default and could omit the field that matters. */
Settings.Set({ maxErrors: 2 * MAX_VALUES });
// TypeBox's own check accepts leap seconds and time zone names.
Format.Set('date-time', isTime);

/** Texts for the patterns that people meet when they register. */
const patternTexts = new Map([
  [(NewAccount as JsonSchema).pattern, 'pattern_account'],
  [(Email as JsonSchema).pattern, 'pattern_email'],
]);

/** Compiles a schema into a check that returns the value, or refuses it and names every invalid field. */
export function validator<S extends TSchema>(schema: S): (value: unknown) => Static<S> {
  let compiled: Validator | undefined;
  return (value) => {
    // Compile at first use: compiling all forty schemas takes a twentieth of the start.
    compiled ??= Compile(schema);
    if (!compiled.Check(value)) {
      const errors = fieldProblems(schema, value);
      throw new Refusal('invalid_request', { errors });
    }
    return value as Static<S>;
  };
}

function fieldProblems(schema: TSchema, value: unknown): FieldProblem[] {
  const problems = new Map<string, FieldProblem>();
  for (const error of errorsOf(schema, beginningOf(value))) {
    for (const problem of translate(error)) {
      if (!problems.has(problem.field)) problems.set(problem.field, problem);
    }
  }
  return [...problems.values()].slice(0, MAX_REPORTED);
}

/** Validates only the first values: reporting every error of a huge body would block the event loop. */
function beginningOf(whole: unknown): unknown {
  let left = MAX_VALUES;
  const cut = (value: unknown, depth: number): unknown => {
    if (typeof value !== 'object' || value === null || depth === 0) return value;
    const entries = Object.entries(value).slice(0, left);
    left -= entries.length;
    const kept = entries.map(([name, inner]) => [name, cut(inner, depth - 1)] as const);
    return Array.isArray(value) ? kept.map(([, inner]) => inner) : Object.fromEntries(kept);
  };
  // No body nests deeper.
  return cut(whole, 3);
}

/** Returns the errors of the alternative that was probably meant: the one whose own fields fit best. */
function errorsOf(schema: TSchema, value: unknown): TLocalizedValidationError[] {
  const alternatives = (schema as { anyOf?: TSchema[] }).anyOf;
  if (!alternatives) return specific(Errors(schema, value)[1]);
  const candidates = alternatives.map((each) => errorsOf(each, value));
  const misfits = (errors: TLocalizedValidationError[]) =>
    errors.filter(({ instancePath }) => instancePath === '').length;
  return candidates.sort((a, b) => misfits(a) - misfits(b) || a.length - b.length)[0] ?? [];
}

/** Drops "must be null" and "matches no alternative" of a field where the error is in its value. */
function specific(errors: TLocalizedValidationError[]): TLocalizedValidationError[] {
  const isVague = ({ keyword, params }: TLocalizedValidationError) =>
    keyword === 'anyOf' || (keyword === 'type' && (params as { type?: unknown }).type === 'null');
  const explained = new Set<string>();
  for (const error of errors)
    if (!isVague(error)) for (const path of withParents(error.instancePath)) explained.add(path);
  return errors.filter((error) => !isVague(error) || !explained.has(error.instancePath));
}

function withParents(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

function translate(error: TLocalizedValidationError): FieldProblem[] {
  const path = error.instancePath.split('/').slice(1);
  const field = path.join('.') || 'body';
  const within = (name: string) => [...path, name].join('.');
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({ field: within(name), message: 'required' }));
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => ({
        field: within(name),
        message: 'additional',
      }));
    case 'type': {
      const type = String(error.params.type);
      return [{ field, message: type === 'integer' ? 'integer' : 'type', params: { type } }];
    }
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
    case 'minimum':
    case 'maximum':
      return [{ field, message: error.keyword, params: { limit: Number(error.params.limit) } }];
    case 'format':
      return [{ field, message: 'format', params: { format: error.params.format } }];
    case 'enum':
      return [{ field, message: 'enum', params: { allowed: error.params.allowedValues.join(', ') } }];
    case 'pattern':
      return [{ field, message: patternTexts.get(String(error.params.pattern)) ?? 'pattern' }];
    case 'boolean':
      return [];
    default:
      return [{ field, message: 'unfit' }];
  }
}

import { Problem, type Route } from '@gatehouse/contract';
import { Check } from 'typebox/value';
import type { Answer } from './client.ts';

/** A check. `run` returns its finding and throws if the check fails. */
export interface Probe {
  readonly name: string;
  run(): Promise<string>;
}

export interface Finding {
  readonly name: string;
  readonly outcome: 'ok' | 'note' | 'failed';
  readonly detail: string;
}

/** Worth reporting, but not a failure. */
export class Note extends Error {}

export async function find({ name, run }: Probe): Promise<Finding> {
  try {
    return { name, outcome: 'ok', detail: await run() };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { name, outcome: error instanceof Note ? 'note' : 'failed', detail };
  }
}

export function assert(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise);
}

/** Checks a success against the contract. */
export function assertFits(route: Route, { status, json, text }: Answer): void {
  const schema = route.answers[status]?.schema;
  assert(route.answers[status] !== undefined, `${route.path} answered ${status}: ${text.slice(0, 120)}`);
  assert(
    schema === undefined || Check(schema, json),
    `${route.path} answered something that is not in the contract`,
  );
}

/** Checks a refusal against the problem shape and its code. */
export function assertRefused(path: string, answer: Answer, status: number, code: string): void {
  const { headers, json } = answer;
  assert(answer.status === status, `${path} answered ${answer.status} instead of ${status}`);
  assert(
    headers.get('content-type')?.startsWith('application/problem+json') === true && Check(Problem, json),
    `${path} was refused, but not as a problem document`,
  );
  assert(json.code === code, `${path} was refused as ${json.code} instead of ${code}`);
  assert(json.request_id === headers.get('x-request-id'), `${path}: request_id and X-Request-Id differ`);
}

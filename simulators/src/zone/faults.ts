import { seededRandom } from '../random.ts';

const plainFaults = [
  'ok',
  'timeout_before',
  'timeout_after',
  'drop_before',
  'drop_after',
  'garbage_before',
  'garbage_after',
  'http_500_before',
  'http_500_after',
  'half_answer',
  'twice',
  'twice_on_wire',
  'redirect',
  'drip',
  'huge',
  'hold',
  'refuse',
  'not_enough',
] as const;

type PlainFault = (typeof plainFaults)[number];
export type FaultName = PlainFault | 'delay';
export type Fault = PlainFault | `delay:${number}` | `drip:${number}`;

/** Decides per request how the GM interface misbehaves. */
export type FaultPlan = (params: Readonly<Record<string, string>>) => Fault;

export const deductOperation = '10030';
const defaultDripMs = 1_000;

export function parseFault(text: string): Fault {
  const plain = plainFaults.find((name) => name === text);
  if (plain) return plain;
  const timed = /^(delay|drip):(\d{1,7})$/.exec(text);
  if (!timed) throw new Error(`${JSON.stringify(text)} is not a fault`);
  return timed[1] === 'delay' ? `delay:${Number(timed[2])}` : `drip:${Number(timed[2])}`;
}

export function faultParts(fault: Fault): { name: FaultName; ms: number } {
  if (fault.startsWith('delay:')) return { name: 'delay', ms: Number(fault.slice('delay:'.length)) };
  if (fault.startsWith('drip:')) return { name: 'drip', ms: Number(fault.slice('drip:'.length)) };
  return { name: fault as PlainFault, ms: defaultDripMs };
}

/** A scripted plan: one fault per deduction, then 'ok'. Other operations do not consume it. */
export function faultQueue(faults: readonly Fault[]): FaultPlan {
  const queue = [...faults];
  return ({ operid }) => (operid === deductOperation ? (queue.shift() ?? 'ok') : 'ok');
}

/** A seeded random plan: a `rate` of all requests, receipts included, get one of `kinds`. */
export function faultPlan(options: { seed: number; rate: number; kinds: readonly Fault[] }): FaultPlan {
  const { seed, rate, kinds } = options;
  const random = seededRandom(seed);
  return () => {
    const hit = random() < rate;
    const kind = kinds[Math.floor(random() * kinds.length)];
    return hit && kind ? kind : 'ok';
  };
}

/** Parses `seed:rate:kind,kind,…`, the command line's form of a plan. */
export function parseFaultPlan(text: string): FaultPlan {
  const match = /^(\d{1,10}):(0|1|0?\.\d+):(.+)$/.exec(text);
  if (!match)
    throw new Error(`${JSON.stringify(text)} is not seed:rate:kinds, as in 7:0.4:drop_after,delay:200`);
  const [, seed, rate, kinds = ''] = match;
  return faultPlan({ seed: Number(seed), rate: Number(rate), kinds: kinds.split(',').map(parseFault) });
}

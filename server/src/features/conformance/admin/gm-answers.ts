import { randomUUID } from 'node:crypto';
import type {
  Deduction,
  DeductionResult,
  Exchange,
  GmCommand,
  Receipt,
} from '../../../integrations/gm-command.ts';
import type { Judge, Line, Shown } from '../line.ts';

/** Distinguishable from the orders of withdrawals, and not longer. */
export const newOrder = () => `test-${randomUUID()}`.slice(0, 36);

export interface GmSessionDeps {
  readonly gm: GmCommand;
  readonly gmUrl: string;
  readonly serverId: number;
  /** In milliseconds. */
  readonly clock: () => number;
}

/** The commands of a run. Each is sent once and its response time recorded. */
export function gmSession({ gm, gmUrl, serverId, clock }: GmSessionDeps) {
  let slowest: number | undefined;

  async function timed<T extends { readonly exchange: Exchange }>(send: () => Promise<T>): Promise<T> {
    const began = clock();
    const result = await send();
    if (result.exchange.status !== undefined) slowest = Math.max(slowest ?? 0, Math.round(clock() - began));
    return result;
  }

  return {
    serverId,
    offersReceipts: gm.offersReceipts,
    deduct: (deduction: Omit<Deduction, 'serverId'>) =>
      timed(() => gm.deduct(gmUrl, { ...deduction, serverId }, () => true)),
    receipt: (order: string) => timed(() => gm.receipt(gmUrl, serverId, order)),
    /** The longest response time in milliseconds; undefined if none arrived. */
    slowest: () => slowest,
  };
}

export type GmSession = ReturnType<typeof gmSession>;

/** Reports a deduction that was neither confirmed nor refused. */
export function failedToAnswer(judge: Judge, result: DeductionResult, timeout: number, order: string): Line {
  if (result.kind === 'not_sent') return judge('failed', 'gm.not_sent', { why: result.why });
  return noAnswer(judge, result, { timeout, order });
}

/** Distinguishes why there is no answer; each reason has its own advice. */
function noAnswer(
  judge: Judge,
  result: Pick<DeductionResult, 'why' | 'exchange'>,
  { timeout, order }: { readonly timeout: number; readonly order?: string },
): Line {
  const { why, exchange } = result;
  const { status = 0 } = exchange;
  const params = { why, status, timeout, order: order === undefined ? '' : ` [${order}]` };
  return judge('failed', faultOf(why, exchange.status), params, shownOf(exchange));
}

/** Same for a receipt request, which never deducts anything. */
export function noReceipt(
  judge: Judge,
  { why, exchange }: Receipt & { readonly kind: 'unreadable' },
  timeout: number,
): Line {
  if (exchange.status === 200) return judge('failed', 'gm.receipt_unreadable', { why }, shownOf(exchange));
  return UNREACHED.test(why)
    ? judge('failed', 'gm.not_sent', { why })
    : noAnswer(judge, { why, exchange }, { timeout });
}

const UNREACHED = /ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|no usable gm_url/;

function faultOf(why: string, status: number | undefined) {
  if (status === undefined) {
    if (why.startsWith('no answer within')) return 'gm.no_answer';
    return why.startsWith('the answer is longer') ? 'gm.too_long' : 'gm.cut';
  }
  if (status >= 300 && status < 400) return 'gm.redirect';
  return status === 200 ? 'gm.unreadable' : 'gm.http_error';
}

const MAX_SHOWN = 300;

/** Renders the command and its answer. The recorded parameters do not include the signature. */
export function shownOf({ asked, status, answer = '' }: Exchange): Shown {
  const text = answer.length > MAX_SHOWN ? `${answer.slice(0, MAX_SHOWN)}…` : answer;
  const pairs = Object.entries(asked).map(([name, value]) => `${name}=${value}`);
  return { request: pairs.join('&'), response: status === undefined ? '–' : `HTTP ${status} ${text}`.trim() };
}

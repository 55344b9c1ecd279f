import { createHmac } from 'node:crypto';
import { currentTrace, type Trace, traceHeaders } from '../runtime/trace.ts';
import type { Settings } from '../settings/schema.ts';
import { allowedHosts } from './allowed-hosts.ts';
import { type Reply, sendOnce } from './send-once.ts';

export interface Deduction {
  readonly order: string;
  readonly serverId: number;
  readonly roleId: number;
  readonly roleName: string;
  readonly amount: number;
}

/** Request and response as stored: without the signature, and the first 2 KB of the response. */
export interface Exchange {
  /** The parameters sent; the name `asked` is persisted in the events. */
  readonly asked: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly answer?: string;
}

/** `not_sent`: nothing was deducted. `unknown`: anything may have happened. */
export interface DeductionResult {
  readonly kind: 'done' | 'refused' | 'not_sent' | 'unknown';
  readonly why: string;
  /** The remaining balance, if the game reports it. */
  readonly balance?: number;
  readonly exchange: Exchange;
}

export type Receipt =
  | { readonly kind: 'executed'; readonly amount: number; readonly exchange: Exchange }
  | { readonly kind: 'not_executed'; readonly exchange: Exchange }
  | { readonly kind: 'unreadable'; readonly why: string; readonly exchange: Exchange };

const MAX_STORED_ANSWER = 2048;

type GmSettings = Omit<Settings['gm'], 'receipt_operation' | 'signature_version'> & {
  readonly receipt_operation: number | undefined;
  readonly signature_version: number;
};

/** GM settings of a zone; null or absent: the settings file's. */
export interface GmZone {
  readonly gmReceipts?: boolean | null;
  readonly gmSignatureVersion?: number | null;
}

export type GmCommands = (zone: GmZone) => GmCommand;

/** Returns the GM command of each zone. */
export function gmCommands(settings: Settings['gm'], allowed: readonly string[]): GmCommands {
  const commands = new Map<string, GmCommand>();
  return ({ gmReceipts, gmSignatureVersion }) => {
    const signature_version = gmSignatureVersion ?? settings.signature_version;
    const receipt_operation = gmReceipts === false ? undefined : settings.receipt_operation;
    const key = `${signature_version} ${receipt_operation}`;
    const command =
      commands.get(key) ?? gmCommand({ ...settings, signature_version, receipt_operation }, allowed);
    commands.set(key, command);
    return command;
  };
}

/** The GM interface of a zone: an HTTP call that can time out, answer wrongly, twice or never. */
export type GmCommand = ReturnType<typeof gmCommand>;

function gmCommand(settings: GmSettings, allowed: readonly string[]) {
  const { params: names, operation, receipt_operation, method, timeout, key, signature_version } = settings;
  const hosts = allowedHosts(allowed);

  async function send(
    gmUrl: string,
    params: Record<string, string>,
    trace: Trace = currentTrace(),
    mayStillSend = () => true,
  ) {
    const url = URL.parse(gmUrl);
    if (url === null || !/^https?:$/.test(url.protocol))
      return { kind: 'not_sent', why: 'the zone has no usable gm_url' } satisfies Reply;
    const signed =
      key === undefined ? params : { ...params, [names.signature]: sign(params, key, signature_version) };
    const form = new URLSearchParams(signed).toString();
    if (method === 'GET') url.search = url.search === '' ? form : `${url.search}&${form}`;
    return sendOnce({
      url,
      method,
      ...(method === 'POST' && { body: form }),
      headers: traceHeaders(trace),
      timeoutMs: timeout * 1000,
      hosts,
      mayStillSend,
    });
  }

  return {
    /** Sends the deduction once. Returns `unknown` unless the answer is recognised beyond doubt. */
    async deduct(
      gmUrl: string,
      deduction: Deduction,
      mayStillSend: () => boolean,
      trace?: Trace,
    ): Promise<DeductionResult> {
      const params = {
        [names.operation]: String(operation),
        [names.server_id]: String(deduction.serverId),
        [names.role_id]: String(deduction.roleId),
        [names.role_name]: deduction.roleName,
        [names.amount]: String(deduction.amount),
        [names.order]: deduction.order,
      };
      const reply = await send(gmUrl, params, trace, mayStillSend);
      const exchange = exchangeOf(params, reply);
      if (reply.kind === 'not_sent') return { kind: 'not_sent', why: reply.why, exchange };
      const { verdict, fields, why } = recognise(reply, settings.success);
      if (verdict === 'unrecognised') return { kind: 'unknown', why, exchange };
      if (verdict === 'refused') return { kind: 'refused', why, exchange };
      const { balance } = fields;
      return { kind: 'done', why, exchange, ...(isAmount(balance) && { balance }) };
    },

    offersReceipts: receipt_operation !== undefined,

    /** Asks for the outcome of an order. Deducts nothing. */
    async receipt(gmUrl: string, serverId: number, order: string, trace?: Trace): Promise<Receipt> {
      const params = {
        [names.operation]: String(receipt_operation),
        [names.server_id]: String(serverId),
        [names.order]: order,
      };
      const reply = await send(gmUrl, params, trace);
      const exchange = exchangeOf(params, reply);
      if (reply.kind === 'not_sent') return { kind: 'unreadable', why: reply.why, exchange };
      const { verdict, fields, why } = recognise(reply, settings.success);
      if (verdict !== 'success') return { kind: 'unreadable', why, exchange };
      const { executed, amount } = fields;
      if (fields[names.order] !== order) return { kind: 'unreadable', why: 'of another order', exchange };
      if (executed === false) return { kind: 'not_executed', exchange };
      if (executed === true && isAmount(amount)) return { kind: 'executed', amount, exchange };
      return { kind: 'unreadable', why: 'executed or amount is missing', exchange };
    },
  };
}

interface Recognised {
  readonly verdict: 'success' | 'refused' | 'unrecognised';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly why: string;
}

function recognise(
  reply: Exclude<Reply, { kind: 'not_sent' }>,
  success: Settings['gm']['success'],
): Recognised {
  const unrecognised = (why: string): Recognised => ({ verdict: 'unrecognised', fields: {}, why });
  if (reply.kind === 'lost') return unrecognised(reply.why);
  if (reply.status !== 200) return unrecognised(`HTTP ${reply.status}`);
  const fields = parseObject(reply.text);
  if (!fields) return unrecognised('the answer is no JSON object');
  const field = success.fields.find((name) => Object.hasOwn(fields, name));
  const value = field === undefined ? undefined : fields[field];
  if (typeof value !== 'number' && typeof value !== 'string' && typeof value !== 'boolean')
    return unrecognised(`the answer has no ${success.fields.join(' or ')}`);
  if (!isOfKind(String(value), success.value))
    return unrecognised(`${field} says ${JSON.stringify(value).slice(0, 100)}`);
  const why = `${field} ${String(value).slice(0, 100)}`;
  return { verdict: String(value) === success.value ? 'success' : 'refused', fields, why };
}

/** If success is a number or a boolean, a word is not a clear refusal: "ok" may mean that it was taken. */
function isOfKind(value: string, success: string): boolean {
  if (/^-?\d+$/.test(success)) return /^(-?\d+|false)$/.test(value);
  return (success === 'true' ? /^(true|false)$/ : /\S/).test(value);
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Hex HMAC-SHA256 over the parameters, sorted by name. Version 1 takes them as they read before URL encoding, so that a role
 * named `a&serverid=2` signs like another parameter; version 2 escapes names and values.
 */
function sign(params: Readonly<Record<string, string>>, key: string, version: number): string {
  const written = version === 1 ? (text: string) => text : escaped;
  const pairs = Object.keys(params)
    .sort()
    .map((name) => `${written(name)}=${written(params[name] ?? '')}`);
  return createHmac('sha256', key).update(pairs.join('&')).digest('hex');
}

/** Percent-encoding of RFC 3986: all but letters, digits, `-`, `.`, `_` and `~`. */
const escaped = (text: string) =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function exchangeOf(params: Readonly<Record<string, string>>, reply: Reply): Exchange {
  if (reply.kind !== 'answered') return { asked: params };
  return { asked: params, status: reply.status, answer: reply.text.slice(0, MAX_STORED_ANSWER) };
}

const isAmount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

import type { IncomingMessage } from 'node:http';
import { type Logger, symbols } from 'pino';
import { escapeControls } from '../runtime/control-characters.ts';
import { timeText } from '../runtime/time.ts';
import { parseTraceparent } from '../runtime/trace.ts';
import { accountKey } from '../security/account-key.ts';
import { createKeyedHash } from '../security/keyed-hash.ts';
import { maskAddress } from '../security/masking.ts';
import { pathOf, queryOf, type RequestContext } from './request-context.ts';
import { parseUrlEncoded } from './text-fields.ts';

/** Query parameters whose values are logged. Of all others only the name is. */
const SAFE_PARAMETERS = new Set(['server_id', 'agent_id', 'provider', 'limit']);

/** Maximum length of a logged path, and of a logged query. */
const MAX_LOGGED = 512;

/** How a request ended. */
interface Outcome {
  readonly status: number;
  readonly ms: number;
  /** The client disconnected before the whole response was sent. */
  readonly aborted: boolean;
}

/** A log line, formatted by `toString` when it is written. */
interface AccessLogLine extends Outcome {
  readonly at: number;
  readonly context: RequestContext;
  readonly method: string | undefined;
  readonly url: string | undefined;
  toString(this: AccessLogLine): string;
}

export interface LogNames {
  readonly nameAccount: NameAccount;
  readonly nameAddress: NameAddress;
}

/**
 * Writes one line per request, after the response is sent. It bypasses the logger's redaction, which costs a sixth of the fastest
 * routes: no field here can hold a secret. Lines are formatted in batches when they are written, because formatting between two
 * requests costs several times as much.
 */
export function accessLog(log: Logger, { nameAccount, nameAddress }: LogNames) {
  const destination = Reflect.get(log, symbols.streamSym) as { write(line: AccessLogLine): void };
  const time = isoTime();
  function format(this: AccessLogLine): string {
    const { at, context, method, status, ms, aborted } = this;
    const query = safeQuery(this);
    const traceparent = parseTraceparent(context.traceparent);
    // Only path, query and account come from the caller; no other field needs escaping.
    return (
      `{"level":"info","time":"${time(at)}","pid":${process.pid},"request_id":"${context.id}"` +
      (traceparent === undefined ? '' : `,"traceparent":"${traceparent}"`) +
      `,"address":"${nameAddress(context.address)}"` +
      `,"method":"${method}","path":${shown(pathOf(this))}` +
      (query === undefined ? '' : `,"query":${shown(query)}`) +
      `,"status":${status},"ms":${Math.round(ms * 10) / 10}${aborted ? ',"aborted":true' : ''}${refusalFields(context, nameAccount)},"msg":"request"}\n`
    );
  }

  return ({ context, method, url }: IncomingMessage, { status, ms, aborted }: Outcome): void => {
    if (!log.isLevelEnabled('info')) return;
    destination.write({ at: Date.now(), context, method, url, status, ms, aborted, toString: format });
  };
}

/** The refusal's code, its throttle and the account, so that the log shows why somebody could not log in. */
function refusalFields({ refused, account }: RequestContext, nameAccount: NameAccount): string {
  if (refused === undefined) return '';
  const name = account === undefined ? undefined : nameAccount(account);
  return (
    `,"code":"${refused.code}"` +
    (refused.throttle === undefined ? '' : `,"throttle":"${refused.throttle}"`) +
    (name === undefined ? '' : `,"account":${quoted(name)}`)
  );
}

/** Formats ISO times, rendering everything but the milliseconds once a second. */
function isoTime(): (at: number) => string {
  let second = 0;
  let text = '';
  return (at) => {
    const ms = at % 1000;
    if (at - ms !== second) {
      second = at - ms;
      text = timeText(second).slice(0, -'000Z'.length);
    }
    return `${text}${String(ms).padStart(3, '0')}Z`;
  };
}

/** Readers of the log may print it on a terminal. */
const quoted = (text: string) => escapeControls(JSON.stringify(text));

const MD5_TOKEN = /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/gi;
/**
 * Three or more words joined by dots, as a JWT is. Begins only where a word does: if it could begin at each `eyJ`, a path of
 * `eyJeyJeyJ…` would be read to its end again for each of them.
 */
const DOTTED = /(?<![\w-])[\w-]+(?:\.[\w-]+){2,}/g;
const JWT_START = /eyJ[\w-]/i;

/** Removes md5 tokens and JWTs from fields that should have none: misspelt query strings end up in paths and names. */
const withoutTokens = (text: string) =>
  text.replaceAll(MD5_TOKEN, '…').replaceAll(DOTTED, (dotted) => {
    const start = dotted.search(JWT_START);
    return start === -1 ? dotted : `${dotted.slice(0, start)}…`;
  });

const shortened = (text: string) => (text.length > MAX_LOGGED ? `${text.slice(0, MAX_LOGGED)}…` : text);

/** Most paths: nothing to escape, and too short for a token. */
const PLAIN = /^[\w/-]{1,31}$/;
const shown = (text: string) => (PLAIN.test(text) ? `"${text}"` : quoted(shortened(withoutTokens(text))));

function safeQuery(line: AccessLogLine): string | undefined {
  const query = queryOf(line);
  if (query === '') return undefined;
  try {
    return Object.entries(parseUrlEncoded(query.slice(0, 2048)))
      .map(([name, value]) => `${name}=${SAFE_PARAMETERS.has(name) ? value : '…'}`)
      .join('&');
  } catch {
    return '…';
  }
}

/** Maps an account to its name in a log line; undefined if it is not logged. */
export type NameAccount = (account: string) => string | undefined;

const HASH_LENGTH = 16;

/** Returns the name itself or a keyed hash: readers of the log cannot identify the account, the operator can. */
export function nameAccounts(mode: 'hash' | 'name' | 'none', secrets: readonly string[]): NameAccount {
  if (mode === 'none') return () => undefined;
  if (mode === 'name') return accountKey;
  const hash = createKeyedHash(secrets, 'log');
  return (account) => hash(accountKey(account)).slice(0, HASH_LENGTH);
}

/** Maps a client's address to its form in a log line. */
export type NameAddress = (address: string) => string;

export const nameAddresses = (mode: 'full' | 'block'): NameAddress =>
  mode === 'block' ? maskAddress : (address) => address;

/** Returns every form in which the account may appear in log lines of any age. */
export function namesInLog(account: string, secrets: readonly string[]): ReadonlySet<string> {
  const hashes = createKeyedHash(secrets, 'log').all(accountKey(account));
  return new Set([accountKey(account), ...hashes.map((each) => each.slice(0, HASH_LENGTH))]);
}

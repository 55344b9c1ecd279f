import type { OldRow } from '../../integrations/old-accounts.ts';
import { accountKey } from '../../security/account-key.ts';
import type { Plan } from './columns.ts';
import { type Column, type PlayerValues, UNKNOWN_TIME } from './store.ts';
import {
  isNothing,
  type Read,
  readAddress,
  readCount,
  readEmail,
  readId,
  readLabel,
  timeReader,
} from './values.ts';

/** Why a row cannot become a player. */
export const reasons = {
  broken_record: 'the record has another number of fields than the header',
  no_account: 'no account name',
  account_too_long: 'the account name has more than 64 characters',
  control_characters: 'control characters in the account name',
  unreadable_text: 'the account name is not in the expected encoding (see --encoding)',
  bad_hash: 'the password hash is not 32 hexadecimal characters',
  unknown_status: 'a status other than active or banned (see --status)',
  duplicate: 'the same account appears earlier',
  erased: 'the account was erased or renamed here, and its name is not given out again',
} as const;

export type Reason = keyof typeof reasons;

/** A row that can become a player. */
export interface Candidate extends PlayerValues {
  readonly at: string;
  readonly account: string;
  readonly key: string;
  readonly hash: string;
  /** Columns whose old value is unreadable. The player is imported without it. */
  readonly lost: readonly Column[];
  /** Whether the registration time is unknown. */
  readonly undated: boolean;
  readonly email: string | undefined;
  readonly status: string | undefined;
}

export interface Unusable {
  readonly at: string;
  readonly account: string;
  readonly reason: Reason;
  /** Further information for the operator. */
  readonly detail?: string;
}

export interface CleaningOptions {
  readonly plan: Plan;
  /** Maps old words or numbers to a status. */
  readonly statuses: ReadonlyMap<string, string>;
  /** The time zone of date texts without one. */
  readonly timeZone: string;
}

const MAX_ACCOUNT = 64;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Converts an old row to values for the player table, or returns why it cannot. */
export function cleaning({
  plan,
  statuses,
  timeZone,
}: CleaningOptions): (row: OldRow) => Candidate | Unusable {
  const readTime = timeReader(timeZone);
  const readers: Record<Column, (text: string) => Read<string | number>> = {
    account: (text) => text,
    password_hash: (text) => text.trim().toLowerCase(),
    email: readEmail,
    server_id: readId,
    ip: readAddress,
    device: readLabel,
    os: readLabel,
    browse: readLabel,
    agent_id: readId,
    created_at: readTime,
    last_login_at: readTime,
    last_login_ip: readAddress,
    login_count: readCount,
    status: (text) => (isNothing(text) ? 'active' : statuses.get(text.trim().toLowerCase())),
  };
  const absent: Partial<Record<Column, string | number>> = {
    email: '',
    ip: '',
    device: '',
    os: '',
    browse: '',
    created_at: UNKNOWN_TIME,
    login_count: 0,
  };
  const steps = plan.columns.map((column) => ({
    column,
    read: readers[column],
    absent: absent[column] ?? null,
  }));
  const accountAt = plan.columns.indexOf('account');
  const hashAt = plan.columns.indexOf('password_hash');
  const createdAt = plan.columns.indexOf('created_at');
  const textOf = (values: readonly (string | number | null)[], column: Column) => {
    const at = plan.columns.indexOf(column);
    return at === -1 ? undefined : String(values[at]);
  };

  return ({ at, fields }) => {
    if (fields === undefined) return { at, account: '', reason: 'broken_record' };
    const account = fields[accountAt] ?? '';
    const lost: Column[] = [];
    const values = steps.map((step, index) => {
      const value = step.read(fields[index] ?? '');
      if (value === undefined) lost.push(step.column);
      return value ?? step.absent;
    });
    const hash = String(values[hashAt]);
    const key = accountKey(account);
    const reason = faultOf(account, key, hash) ?? (lost.includes('status') ? 'unknown_status' : undefined);
    if (reason !== undefined) return { at, account, reason };
    // An unreadable value is not compared with the one here.
    const email = lost.includes('email') ? undefined : textOf(values, 'email');
    const status = textOf(values, 'status');
    const undated = createdAt === -1 || values[createdAt] === UNKNOWN_TIME;
    return { at, account, key, hash, values, lost, undated, email, status };
  };
}

function faultOf(account: string, key: string, hash: string): Reason | undefined {
  if (key === '') return 'no_account';
  if (CONTROL.test(account)) return 'control_characters';
  if (account.includes('\ufffd')) return 'unreadable_text';
  if (account.length > MAX_ACCOUNT && [...account].length > MAX_ACCOUNT) return 'account_too_long';
  return /^[0-9a-f]{32}$/.test(hash) ? undefined : 'bad_hash';
}

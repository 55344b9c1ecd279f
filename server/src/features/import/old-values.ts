import type { OldColumn, OldValue } from '../../integrations/old-accounts-writer.ts';
import type { Plan } from './columns.ts';
import type { Column } from './store.ts';

const NUMERIC = /^(?:tiny|small|medium|big)?int|^decimal|^double|^float/;
const DATED = /^(?:datetime|timestamp|date)\b/;
/** A number of milliseconds; as seconds it would be the year 5138. */
const FIRST_MILLISECONDS = 100_000_000_000;

export interface OldForms {
  readonly plan: Plan;
  readonly columns: readonly OldColumn[];
  readonly statuses: ReadonlyMap<string, string>;
  readonly timeZone: string;
}

/** Converts values of a player to what the old table stores, in the form of its own rows. */
export function oldForms({ plan, columns, statuses, timeZone }: OldForms) {
  const byName = new Map(columns.map((column) => [column.name, column]));
  const samples = new Map<Column, string>();
  let upper = 0;
  let lower = 0;

  const targetOf = (column: Column): OldColumn | undefined =>
    byName.get(plan.sources[plan.columns.indexOf(column)] ?? '');
  const absent = ({ isNullable, type }: OldColumn): OldValue =>
    isNullable ? null : NUMERIC.test(type) ? 0 : DATED.test(type) ? '0000-00-00 00:00:00' : '';

  function timeOf(column: Column, target: OldColumn, ms: number): OldValue {
    const sample = samples.get(column) ?? '';
    if (NUMERIC.test(target.type) || (!DATED.test(target.type) && /^\d+$/.test(sample)))
      return Number(sample) >= FIRST_MILLISECONDS ? ms : Math.floor(ms / 1000);
    const zone = target.type.startsWith('timestamp') ? 'UTC' : timeZone;
    const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDateTime();
    return local.toString({ smallestUnit: 'second' }).replace('T', ' ');
  }

  function statusOf(status: string): string {
    const words = [...statuses].filter(([, meaning]) => meaning === status).map(([word]) => word);
    return words.find((word) => word !== status) ?? status;
  }

  return {
    targetOf,

    /** Learns the form of the old values from a row, as read. */
    learn(fields: readonly string[]): void {
      plan.columns.forEach((column, index) => {
        const text = fields[index]?.trim() ?? '';
        if (column === 'password_hash') {
          if (/[A-F]/.test(text)) upper++;
          if (/[a-f]/.test(text)) lower++;
        } else if (!samples.has(column) && /^[1-9]/.test(text)) samples.set(column, text);
      });
    },

    /** Returns a hash in the letter case of the row, or of most rows if there is none. */
    hashLike(hash: string, like?: string): string {
      const isUpper = like === undefined ? upper > lower : /[A-F]/.test(like) && !/[a-f]/.test(like);
      return isUpper ? hash.toUpperCase() : hash;
    },

    /** Returns the value for a column of the old table. */
    valueOf(column: Column, value: string | number | null): OldValue {
      const target = targetOf(column);
      if (target === undefined) return null;
      if (column === 'status') return statusOf(String(value));
      if (value === null || value === '' || (value === 0 && column !== 'login_count')) return absent(target);
      if (column === 'created_at' || column === 'last_login_at') return timeOf(column, target, Number(value));
      const isAddress = column === 'ip' || column === 'last_login_ip';
      if (isAddress && NUMERIC.test(target.type))
        return addressNumber(String(value), target) ?? absent(target);
      return value;
    },
  };
}

export type OldFormsOf = ReturnType<typeof oldForms>;

/** Returns the number that PHP's ip2long makes of an IPv4 address. */
function addressNumber(address: string, { type }: OldColumn): number | undefined {
  const parts = address.split('.').map(Number);
  if (parts.length !== 4 || parts.some((part) => !(part >= 0 && part <= 255))) return undefined;
  const bits = parts.reduce((sum, part) => sum * 256 + part, 0);
  return /unsigned|bigint/.test(type) ? bits : bits | 0;
}

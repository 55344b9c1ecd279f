import type { OperatorRole } from '@gatehouse/contract/admin';

export interface RoleFieldValues {
  readonly role: OperatorRole | '';
  readonly zones: string;
}

export const roleFieldsOf = (holder?: {
  role: OperatorRole;
  zones: readonly number[] | null;
}): RoleFieldValues => ({
  role: holder?.role ?? 'viewer',
  zones: holder?.zones?.join(', ') ?? '',
});

/** Parses `1, 2, 5-9`; null, meaning all, if empty. */
export function zonesIn(text: string): number[] | null {
  const parts = text.split(/[\s,，、]+/).filter(Boolean);
  if (parts.length === 0) return null;
  const zones = parts.flatMap((part) => {
    const [first = Number.NaN, last = first] = part.split(/[-–]/).map(Number);
    return Number.isInteger(first) && Number.isInteger(last) && last >= first && last - first < 1000
      ? Array.from({ length: last - first + 1 }, (_, index) => first + index)
      : [];
  });
  return [...new Set(zones)].sort((a, b) => a - b);
}

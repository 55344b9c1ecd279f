import type { ListedZone } from '@gatehouse/contract/player';

/** A group of zones: by hundreds of their numbers, or by opening month. */
export interface ZoneGroup {
  readonly id: string;
  readonly span: { readonly from: number; readonly to: number } | { readonly month: string };
  readonly zones: readonly ListedZone[];
}

const HUNDRED = 100;
/** Upper bound of useful tabs. */
const MAX_MONTHS = 12;

/** Groups by hundreds if numbers exceed a hundred or there are too many months, otherwise by month; newest first. */
export function groupZones(zones: readonly ListedZone[]): ZoneGroup[] {
  const months = groupBy(zones, ({ opened_at }) => opened_at?.slice(0, 7) ?? '');
  const most = Math.max(...zones.map(({ server_id }) => server_id));
  if (most > HUNDRED || months.size > MAX_MONTHS || months.has('')) return byHundreds(zones);
  return [...months]
    .map(([month, of]) => ({ id: month, span: { month }, zones: of }))
    .toSorted((a, b) => b.id.localeCompare(a.id));
}

function byHundreds(zones: readonly ListedZone[]): ZoneGroup[] {
  const hundreds = groupBy(zones, ({ server_id }) => Math.ceil(server_id / HUNDRED));
  return [...hundreds]
    .toSorted(([a], [b]) => b - a)
    .map(([hundred, of]) => ({
      id: String(hundred),
      span: { from: (hundred - 1) * HUNDRED + 1, to: hundred * HUNDRED },
      zones: of,
    }));
}

/** Many phone browsers lack Map.groupBy. */
function groupBy<K>(zones: readonly ListedZone[], keyOf: (zone: ListedZone) => K): Map<K, ListedZone[]> {
  const groups = new Map<K, ListedZone[]>();
  for (const zone of zones) groups.set(keyOf(zone), [...(groups.get(keyOf(zone)) ?? []), zone]);
  return groups;
}

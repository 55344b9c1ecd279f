import type { Finding } from './finding.ts';

/** A finding about one zone. `about` is the same for all zones. */
export interface ZoneFinding extends Finding {
  readonly serverId: number;
  readonly about: string;
}

/** Groups zones with the same finding into one line. Zones in order share one too. */
export function groupZones(findings: readonly ZoneFinding[]): Finding[] {
  const groups = Map.groupBy(findings, ({ about, status, detail }) =>
    JSON.stringify([about, status, status === 'ok' ? '' : detail]),
  );
  return [...groups.values()].map((group) => {
    const [first] = group as [ZoneFinding, ...ZoneFinding[]];
    const { status, detail, fix, about } = first;
    if (group.length === 1)
      return { check: `zone ${first.serverId} ${about}`, status, detail, ...(fix && { fix }) };
    const ids = group.map(({ serverId }) => serverId);
    const differ = group.some((each) => each.detail !== detail);
    return {
      check: `zones ${ranges(ids)} ${about}`,
      status,
      detail: differ ? `all ${group.length} are ok` : detail,
      ...(fix && { fix: fix.replace(`zone set ${first.serverId} `, 'zone set ID ') }),
    };
  });
}

/** Formats ids as `1-3, 7`. */
function ranges(ids: readonly number[]): string {
  const spans: [number, number][] = [];
  for (const id of ids.toSorted((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last && id === last[1] + 1) last[1] = id;
    else spans.push([id, id]);
  }
  return spans.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

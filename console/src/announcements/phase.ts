/** Whether an announcement is shown now, later, or no longer. */
export function phaseOf(
  { from, until }: { readonly from: string | null; readonly until: string | null },
  now = Date.now(),
): 'shown' | 'later' | 'over' {
  if (until !== null && Date.parse(until) <= now) return 'over';
  return from !== null && Date.parse(from) > now ? 'later' : 'shown';
}

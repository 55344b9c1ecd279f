/** Returns the page of an entry's subject; undefined if there is none. */
export function pathOf({
  subject_kind,
  subject_id,
}: {
  subject_kind: string | null;
  subject_id: string | null;
}) {
  if (subject_id === null) return undefined;
  const id = encodeURIComponent(subject_id);
  switch (subject_kind) {
    case 'player':
      return `/players/${id}`;
    case 'zone':
      return `/zones/${id}`;
    case 'withdraw':
      return `/withdrawals/${id}`;
    case 'promoter':
      return `/promoters/${id}`;
    case 'control':
    case 'deny_entry':
      return '/controls';
    case 'announcement':
      return '/announcements';
    case 'webhook':
      return `/webhooks/${id}`;
    case 'site':
    case 'site_file':
      return '/site';
    case 'operator':
    case 'key':
      return '/operators';
    default:
      return undefined;
  }
}

import { type Finding, warning } from './finding.ts';

/**
 * Marks findings that the operator accepts, each written as `check: reason`. They are still listed with the reason, but no
 * longer as a warning or failure.
 */
export function acknowledge(
  findings: readonly Finding[],
  entries: readonly string[],
  { complete }: { complete: boolean },
): Finding[] {
  const reasons = new Map(
    entries.map((entry) => {
      const colon = entry.indexOf(':');
      return [entry.slice(0, colon).trim(), entry.slice(colon + 1).trim()] as const;
    }),
  );
  const met = findings.map((finding): Finding => {
    const reason = finding.status === 'ok' ? undefined : reasons.get(finding.check);
    if (reason === undefined) return finding;
    const { check, detail } = finding;
    return { check, status: 'ok', detail: `acknowledged (${reason}): ${detail}` };
  });
  // After a partial examination, the other entries cannot be judged.
  if (!complete) return met;
  const idle = [...reasons.keys()].filter(
    (check) => !findings.some((finding) => finding.check === check && finding.status !== 'ok'),
  );
  return [
    ...met,
    ...idle.map((check) =>
      warning('doctor.acknowledged', `there is no warning ${check}`, 'remove it from doctor.acknowledged'),
    ),
  ];
}

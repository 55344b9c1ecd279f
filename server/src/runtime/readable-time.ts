/** For people: `2026-11-16 11:20:05 Asia/Shanghai` */
export function readableTime(timeZone: string, ms: number): string {
  const time = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
  const seconds = time.toPlainDateTime().toString({ smallestUnit: 'second' });
  return `${seconds.replace('T', ' ')} ${timeZone}`;
}

/** Returns the calendar day in the operator's time zone, and the seconds until it ends. */
export function dayIn(timeZone: string): { day: string; secondsLeft: number } {
  const now = Temporal.Now.zonedDateTimeISO(timeZone);
  const turn = now.startOfDay().add({ days: 1 });
  const left = (turn.epochMilliseconds - now.epochMilliseconds) / 1000;
  return { day: now.toPlainDate().toString(), secondsLeft: Math.max(1, Math.ceil(left)) };
}

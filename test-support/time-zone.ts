/** Returns a time zone in which it is about noon, so that the day does not change during a test. */
export function zoneAtNoon(): string {
  const ahead = 12 - new Date().getUTCHours();
  // The names of these zones count westward.
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

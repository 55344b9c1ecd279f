import { writeFileSync } from 'node:fs';

export const TIMERS_FILE = 'TEST_TIMERS_FILE';
const EVERY_MS = 2000;

/** Loaded into the service before its own code, it keeps writing how many referenced timers are active. */
function report(file: string): void {
  const timers = process.getActiveResourcesInfo().filter((each) => each === 'Timeout');
  writeFileSync(file, String(timers.length));
}

const file = process.env[TIMERS_FILE];
if (file !== undefined) {
  report(file);
  setInterval(report, EVERY_MS, file).unref();
}

import { expect, onTestFinished, test, vi } from 'vitest';
import { zoneAtNoon } from './time-zone.ts';

test('when a test counts by the day, then at any hour there is a zone far from midnight', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  for (let hour = 0; hour < 24; hour++) {
    vi.setSystemTime(Date.UTC(2030, 0, 15, hour, 30));
    const there = new Date().toLocaleTimeString('en-GB', { timeZone: zoneAtNoon() });
    expect([hour, there]).toEqual([hour, '12:30:00']);
  }
});

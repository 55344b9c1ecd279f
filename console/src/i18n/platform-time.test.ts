import { expect, test } from 'vitest';
import { dayIn, inputValueIn, momentOf, shiftDay, stampIn, utcStamp } from './platform-time.ts';

const now = new Date('2026-11-16T02:12:40Z');

test('when a time is shown, then it is in the platform’s time zone, with the year only if it differs', () => {
  expect(stampIn('Asia/Shanghai', '2026-11-15T16:00:01.000Z', { now })).toBe('11-16 00:00');
  expect(stampIn('Asia/Shanghai', '2026-11-15T16:00:01.000Z', { now, seconds: true })).toBe('11-16 00:00:01');
  expect(stampIn('UTC', '2025-12-31T23:59:00.000Z', { now })).toBe('2025-12-31 23:59');
  expect(utcStamp('2026-11-15T16:00:01.000Z')).toBe('2026-11-15 16:00:01 UTC');
});

test('when a day ends, then it ends by the platform’s time zone', () => {
  expect(dayIn('Asia/Shanghai', new Date('2026-11-15T16:00:00Z'))).toBe('2026-11-16');
  expect(shiftDay('2026-03-01', -1)).toBe('2026-02-28');
});

test.each([
  ['Asia/Shanghai', '2026-11-16T08:30', '2026-11-16T00:30:00.000Z'],
  ['America/New_York', '2026-11-01T12:00', '2026-11-01T17:00:00.000Z'],
  ['America/New_York', '2026-03-08T12:00', '2026-03-08T16:00:00.000Z'],
  ['Asia/Kolkata', '2026-01-01T00:00', '2025-12-31T18:30:00.000Z'],
])(
  'when an input in %s has %s, then it is parsed as that moment, and formatted back unchanged',
  (zone, input, moment) => {
    expect(momentOf(zone, input)).toBe(moment);
    expect(inputValueIn(zone, moment)).toBe(input);
  },
);

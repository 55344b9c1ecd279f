import { expect, test } from 'vitest';
import { groupWriter } from '../src/db/group-writer.ts';
import { reportChat } from '../src/features/chat/report.ts';
import { memoryLimiters } from '../src/security/throttle.ts';
import { fixedSettings } from '../src/settings/live.ts';
import { parseSettings } from '../src/settings/load.ts';

const auth = { password_key: 'k'.repeat(32), jwt_secret: 's'.repeat(64) };
const line = { server_id: 1, role: '战士', content: '大家好' };

test('when writes are concurrent, then they share groups, in order of arrival', async () => {
  const groups: (readonly number[])[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const writer = groupWriter<number>(1000, async (items) => {
    groups.push(items);
    await released;
  });
  const all = Array.from({ length: 1500 }, (_, index) => index);
  const writes = all.map((item) => writer.write([item]));
  expect(writer.waiting()).toBe(1500);
  release();
  await Promise.all(writes);
  expect(groups.map(({ length }) => length)).toEqual([1000, 500]);
  expect(groups.flat()).toEqual(all);
  expect(writer.waiting()).toBe(0);
});

test('when too many lines are waiting, then a report is refused immediately and the next that fits is accepted', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const writer = groupWriter<unknown>(1000, () => released);
  const unused = memoryLimiters('chat', () => ({ limit: 1, window: 60 }));
  const { report } = reportChat({
    writer,
    zonesOf: () => null,
    limiters: { reports: unused, bytes: unused },
    settings: fixedSettings(parseSettings({ auth, chat: { queue: 200 } })),
  });
  const caller = { address: '127.0.0.1', direct: true };
  const whole = report({ records: Array(150).fill(line) }, caller);
  await expect(report({ records: Array(51).fill(line) }, caller)).rejects.toMatchObject({
    code: 'unavailable',
    details: { retryAfter: 1 },
  });
  const fitting = report({ records: Array(50).fill(line) }, caller);
  release();
  expect(await Promise.all([whole, fitting])).toEqual([{ accepted: 150 }, { accepted: 50 }]);
});

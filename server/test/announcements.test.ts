import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { openAnnouncementAdmin } from '../src/features/announcements/admin/module.ts';
import { auditRows } from './support/audit.ts';
import { startTestApp, type TestApp } from './support/test-app.ts';

const olga = { name: 'olga', via: 'cli' } as const;
const HOUR_MS = 3_600_000;
const plain = { body: '', level: 'info', language: null, from: null, until: null } as const;

const list = (app: TestApp, query = '', headers: Record<string, string> = {}) =>
  app.get(`/api/announcement/list${query}`, { headers });

async function titles(app: TestApp, query = '', headers?: Record<string, string>): Promise<string[]> {
  const { body } = await list(app, query, headers);
  return body.announcements.map(({ title }: { title: string }) => title);
}

describeByTier('announcements', (engine) => {
  test('when an announcement is made, then players read it in their language, newest first, while it is in force', async () => {
    const app = await startTestApp(await engine.freshUrl());
    const admin = openAnnouncementAdmin(app);
    expect((await list(app)).body).toEqual({ announcements: [] });
    const from = Date.now() - HOUR_MS;
    await admin.add(olga, { ...plain, title: 'All', body: 'one\ntwo <b>', level: 'warning', from });
    await admin.add(olga, { ...plain, title: 'English', language: 'en' });
    await admin.add(olga, { ...plain, title: '中文', language: 'zh-CN', until: Date.now() + HOUR_MS });
    await admin.add(olga, { ...plain, title: 'Later', from: Date.now() + HOUR_MS });
    await admin.add(olga, { ...plain, title: 'Over', until: Date.now() - HOUR_MS });

    // The last one in force: a refresh may come between two of them.
    await expect.poll(() => titles(app, '?language=zh-CN')).toEqual(['中文', 'All']);
    expect(await titles(app, '?language=en')).toEqual(['English', 'All']);
    expect(await titles(app, '', { 'accept-language': 'zh-TW,en;q=0.5' })).toEqual(['中文', 'All']);
    expect(await titles(app, '', { 'accept-language': 'en-GB' })).toEqual(['English', 'All']);
    expect(await titles(app, '', { 'accept-language': '*' })).toEqual(['中文', 'English', 'All']);
    expect((await list(app, '?language=en')).body.announcements[1]).toEqual({
      id: 1,
      title: 'All',
      body: 'one\ntwo <b>',
      level: 'warning',
      language: null,
      from: new Date(from).toISOString(),
      until: null,
    });
    const { headers } = await list(app, '?language=en');
    expect(headers.get('vary')).toBe('accept-language');
    const again = await list(app, '?language=en', { 'if-none-match': headers.get('etag') ?? '' });
    expect(again).toMatchObject({ status: 304, text: '' });

    // The database clock reaches the beginning of one and the end of another.
    await app.db.kysely
      .updateTable('announcement')
      .set({ starts_at: 1 })
      .where('title', '=', 'Later')
      .execute();
    await app.db.kysely.updateTable('announcement').set({ ends_at: 1 }).where('title', '=', 'All').execute();
    await expect.poll(() => titles(app, '?language=en')).toEqual(['Later', 'English']);
    expect((await list(app, '?speech=en')).status).toBe(400);
  });

  test('when one is changed or removed, then the audit has only what changed, and refusals leave nothing', async () => {
    const app = await startTestApp(await engine.freshUrl());
    const admin = openAnnouncementAdmin(app);
    const until = Date.now() + HOUR_MS;
    const { id } = await admin.add(olga, { ...plain, title: 'Patch', body: 'tonight' }, { reason: 'patch' });
    await admin.set(olga, { id, title: 'Patch', body: 'tomorrow', until });
    await admin.set(olga, { id, title: 'Patch' });
    await admin.remove(olga, id);
    const refused = [
      [() => admin.set(olga, { id, title: 'gone' }), 'not_found'],
      [() => admin.remove(olga, id), 'not_found'],
      [() => admin.add(olga, { ...plain, title: 'x', from: until, until }), 'invalid_request'],
    ] as const;
    for (const [change, code] of refused) await expect(change()).rejects.toMatchObject({ code });

    const rows = (await auditRows(app.db)).map(({ action, reason, before, after, subject_id }) => ({
      action,
      subject_id,
      reason,
      before: before && JSON.parse(before),
      after: after && JSON.parse(after),
    }));
    const end = new Date(until).toISOString();
    const common = { subject_id: String(id) };
    const expected = [
      {
        ...common,
        action: 'announcement.add',
        reason: 'patch',
        before: null,
        after: { ...plain, title: 'Patch', body: 'tonight' },
      },
      {
        ...common,
        action: 'announcement.set',
        reason: null,
        before: { body: 'tonight', until: null },
        after: { body: 'tomorrow', until: end },
      },
      {
        ...common,
        action: 'announcement.remove',
        reason: null,
        before: { ...plain, title: 'Patch', body: 'tomorrow', until: end },
        after: null,
      },
    ];
    expect(rows).toHaveLength(expected.length);
    for (const row of expected) expect(rows).toContainEqual(row);
  });
});

import { hash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { contrastOf, pageGround, textOn } from '@gatehouse/contract/accent';
import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { tempDir } from '../../test-support/process.ts';
import { siteStore } from '../src/features/site/store.ts';
import { loadSettings, parseSettings } from '../src/settings/load.ts';
import { auditRows } from './support/audit.ts';
import { makeOperator, type OperatorClient } from './support/operator.ts';
import { plainPng, sample } from './support/pictures.ts';
import { startTestApp, type TestApp } from './support/test-app.ts';

const relaxed = { console: { require_totp: false } };
const red = plainPng(60, 20, [200, 30, 30]);

function put(app: TestApp, { cookie }: OperatorClient, name: string, body: Buffer, type = 'image/png') {
  const headers = { cookie, origin: app.url, 'content-type': type };
  return app.send('PUT', `/api/admin/site/files/${name}`, { headers, body });
}

const siteOf = async (app: TestApp) => (await app.get('/api/config')).body.site;

describeByTier('the operator’s site', (engine) => {
  test('when fields are set and reset, then every instance shows them, and the audit has before and after', async () => {
    const url = await engine.freshUrl();
    const settings = { ...relaxed, site: { slogan: 'From the file', support: 'help@example.com' } };
    const [app, other] = [await startTestApp(url, settings), await startTestApp(url, settings)];
    const boss = await makeOperator(app);
    const before = await app.get('/api/config');
    expect(before.body.site).toEqual({
      title: 'Gatehouse',
      slogan: 'From the file',
      support: 'help@example.com',
    });
    const links = [{ label: '下载', label_en: 'Download', url: '/download', icon: 'download' }];
    const change = {
      title: '烽火',
      accent: '#4fb3ff',
      links,
      slogan: '',
      footer: 'one\ntwo',
      police: '京公网安备11010502030123号',
    };
    const answer = await boss.send('PATCH', 'site', { ...change, reason: 'opening' });
    expect(answer).toMatchObject({ status: 200, body: { audit_id: expect.any(String) } });
    const { slogan: _, ...shown } = { ...change, support: 'help@example.com' };
    expect(await siteOf(app)).toEqual(shown);
    expect((await app.get('/api/config')).headers.get('etag')).not.toBe(before.headers.get('etag'));
    await expect.poll(() => siteOf(other)).toEqual(shown);
    expect((await boss.get('site')).body).toMatchObject({
      title: { value: '烽火', source: 'console' },
      slogan: { value: '', source: 'console' },
      support: { value: 'help@example.com', source: 'file' },
      icp: { value: null, source: 'default' },
      links: { value: links, source: 'console' },
      logo: { value: null, source: 'default' },
      news_pictures: [],
    });
    expect((await boss.send('PATCH', 'site', { title: '烽火' })).body).toEqual({ audit_id: null });
    await boss.send('PATCH', 'site', { title: null, slogan: null });
    expect(await siteOf(app)).toMatchObject({ title: 'Gatehouse', slogan: 'From the file' });
    const rows = (await auditRows(app.db)).filter(({ action }) => action === 'site.set');
    const readable = rows.map(({ reason, before, after }) => [
      reason,
      JSON.parse(before ?? ''),
      JSON.parse(after ?? ''),
    ]);
    const nothing = Object.fromEntries(Object.keys(change).map((name) => [name, null]));
    expect(readable).toHaveLength(2);
    expect(readable).toContainEqual(['opening', nothing, change]);
    expect(readable).toContainEqual([null, { title: '烽火', slogan: '' }, { title: null, slogan: null }]);
  });

  test('when a picture is set, then it is served under its hash, cannot run scripts, and is in the audit', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const boss = await makeOperator(app);
    const added = await put(app, boss, 'logo', red);
    const { url } = added.body;
    expect(added).toMatchObject({ status: 200, body: { width: 60, height: 20, bytes: red.length } });
    expect(url).toMatch(/^\/brand\/[0-9a-f]{16}\.png$/);
    expect((await siteOf(app)).logo).toBe(url);
    const file = await fetch(app.url + url);
    expect(Buffer.from(await file.arrayBuffer()).equals(red)).toBe(true);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    });
    for (const path of [url.replace('.png', '.jpg'), '/brand/0123456789abcdef.png', '/brand/x'])
      expect([path, (await app.get(path)).status]).toEqual([path, 404]);

    const tall = sample('small.avif');
    expect((await put(app, boss, 'logo', tall, 'image/avif')).body.width).toBe(48);
    // A page that was loaded earlier still names the first one.
    expect((await fetch(app.url + url)).status).toBe(200);
    expect((await put(app, boss, 'news-opening', red)).status).toBe(200);
    expect((await boss.get('site')).body.news_pictures).toMatchObject([{ name: 'news-opening', url }]);
    const removed = await boss.send('DELETE', 'site/files/logo?reason=old');
    expect(removed).toMatchObject({ status: 200, body: { audit_id: expect.any(String) } });
    expect((await boss.send('DELETE', 'site/files/logo')).body).toEqual({ audit_id: null });
    expect((await siteOf(app)).logo).toBeUndefined();
    const rows = (await auditRows(app.db)).filter(({ action }) => action === 'site.file');
    const typeIn = (text: string | null) => text && JSON.parse(text).type;
    const readable = rows.map(({ subject_id, reason, before, after }) => [
      subject_id,
      reason,
      typeIn(before),
      typeIn(after),
    ]);
    expect(readable).toHaveLength(4);
    for (const row of [
      ['logo', null, null, 'image/png'],
      ['logo', null, 'image/png', 'image/avif'],
      ['news-opening', null, null, 'image/png'],
      ['logo', 'old', 'image/avif', null],
    ])
      expect(readable).toContainEqual(row);

    const { kysely } = app.db;
    expect(await siteStore(app.db).deleteUnused(10)).toBe(0);
    await kysely
      .updateTable('site_file')
      .set({ unused_since: 1 })
      .where('unused_since', 'is not', null)
      .execute();
    expect(await siteStore(app.db).deleteUnused(10)).toBe(1);
    expect(await kysely.selectFrom('site_file').select('type').execute()).toEqual([{ type: 'image/png' }]);
  });
});

test('when a file is too large, mislabelled, of another kind or for no known place, then it is refused and nothing changes', async () => {
  const app = await startTestApp(`sqlite:${tempDir('site')}/gatehouse.db`, relaxed);
  const boss = await makeOperator(app);
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>');
  const large = (kib: number) => Buffer.concat([red, Buffer.alloc(kib * 1024)]);
  const refused: [string, Buffer, string, number, string][] = [
    ['logo', large(512), 'image/png', 422, 'file_refused'],
    ['background_wide', large(2048), 'image/png', 422, 'file_refused'],
    ['background_wide', large(9000), 'image/png', 422, 'file_refused'],
    ['logo', red, 'image/jpeg', 422, 'file_refused'],
    ['logo', Buffer.alloc(0), 'image/png', 422, 'file_refused'],
    ['background_tall', svg, 'image/svg+xml', 422, 'file_refused'],
    ['logo', Buffer.from('{}'), 'application/json', 415, 'unsupported_media_type'],
    ['logo', red, 'image/gif', 415, 'unsupported_media_type'],
    ['poster', red, 'image/png', 404, 'not_found'],
    ['news-', red, 'image/png', 404, 'not_found'],
  ];
  for (const [name, body, type, status, code] of refused) {
    const answer = await put(app, boss, name, body, type);
    expect([name, type, answer.status, answer.body.code]).toEqual([name, type, status, code]);
  }
  expect((await put(app, boss, 'favicon', svg, 'image/svg+xml')).status).toBe(200);
  expect(await app.db.kysely.selectFrom('site_file').select('type').execute()).toEqual([
    { type: 'image/svg+xml' },
  ]);
  const json = await app.send('PATCH', '/api/admin/site', {
    headers: { cookie: boss.cookie, origin: app.url, 'content-type': 'image/png' },
    body: red,
  });
  expect(json.status).toBe(415);
});

test('when a value is invalid, then it is refused by name, and the other fields of the change stay as they were', async () => {
  const app = await startTestApp(`sqlite:${tempDir('site')}/gatehouse.db`, relaxed);
  const boss = await makeOperator(app);
  const link = (url: string) => ({
    links: [
      { label: 'ok', url: '/ok' },
      { label: 'x', url },
    ],
  });
  const unfit: [object, string][] = [
    [{ title: '' }, 'title'],
    [{ title: '  ' }, 'title'],
    [{ title: 'x'.repeat(41) }, 'title'],
    [{ slogan: 'x'.repeat(81) }, 'slogan'],
    [{ accent: 'red' }, 'accent'],
    [{ accent: '#333333' }, 'accent'],
    [{ footer: 'x'.repeat(301) }, 'footer'],
    [{ police: '没有号码' }, 'police'],
    [{ links: [{ label: 'x' }] }, 'links.0.url'],
    [{ links: 7 }, 'links'],
    [{ privacy: 'javascript:alert(1)' }, 'privacy'],
    [{ links: Array.from({ length: 13 }, () => ({ label: 'x', url: '/' })) }, 'links'],
    [{ links: [{ label: 'x', url: '/', icon: 'skull' }] }, 'links.0.icon'],
    ...[
      'javascript:alert(1)',
      '//evil.example',
      '/\\evil.example',
      'data:text/html,x',
      'https://',
      'x',
      'https://a@b.example/',
      'ftp://a.example',
      ' https://a.example',
      'https://:play.example.com@evil.example/',
    ].map((url): [object, string] => [link(url), 'links.1.url']),
  ];
  for (const [change, field] of unfit) {
    const answer = await boss.send('PATCH', 'site', { icp: '京ICP备1号', ...change });
    const found = answer.body.errors?.map(({ field: name }: { field: string }) => name);
    expect([change, answer.status, answer.body.code, found]).toEqual([
      change,
      400,
      'invalid_request',
      [field],
    ]);
  }
  expect(await siteOf(app)).toEqual({ title: 'Gatehouse' });
  expect((await boss.send('PATCH', 'site', { footer: 'a\r\n\tb' })).status).toBe(200);
  for (const url of ['https://a.example/x?y#z', 'http://a.example', 'mailto:a@b.example', '/own/path?x=1'])
    expect([url, (await boss.send('PATCH', 'site', link(url))).status]).toEqual([url, 200]);
});

test('when the settings have a site, then it is checked like operators’ values, and links can come from the environment as JSON', () => {
  const auth = { password_key: 'k', jwt_secret: 'x'.repeat(32) };
  const env = { GATEHOUSE_AUTH_PASSWORD_KEY: 'k', GATEHOUSE_AUTH_JWT_SECRET: 'x'.repeat(32) };
  const links = [{ label: 'Forum', url: 'https://forum.example' }];
  const loaded = loadSettings(undefined, { ...env, GATEHOUSE_SITE_LINKS: JSON.stringify(links) });
  expect(loaded.site.links).toEqual(links);
  expect(() => loadSettings(undefined, { ...env, GATEHOUSE_SITE_LINKS: 'x' })).toThrow('site.links');
  for (const [site, problem] of [
    [{ accent: '#333333' }, /site\.accent.*4\.5/],
    [{ links: [{ label: 'x', url: 'javascript:x' }] }, /site\.links\.0\.url.*mailto/],
    [{ title: '' }, /site\.title/],
    [{ privacy: 'javascript:x' }, /site\.privacy/],
  ] as const)
    expect(() => parseSettings({ auth, site })).toThrow(problem);
});

test('when an accent is accepted, then links in it are readable on the pages’ background', () => {
  const css = readFileSync(resolve(import.meta.dirname, '../../web/src/ui/base.css'), 'utf8');
  expect(css).toContain(`--ink-raised: ${pageGround};`);
  expect(contrastOf('#ffffff', '#000000')).toBeCloseTo(21);
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.478, 2);
  expect([textOn('#ffd000'), textOn('#102030')]).toEqual(['#080c12', '#ffffff']);
});

test('when a site has its own look, then the first HTML, the documents and the mails have it', async () => {
  const app = await startTestApp(`sqlite:${tempDir('site')}/gatehouse.db`, {
    ...relaxed,
    public_url: 'https://play.example.com',
  });
  const boss = await makeOperator(app);
  const logo = (await put(app, boss, 'logo', red)).body.url;
  const wide = (await put(app, boss, 'background_wide', sample('lossy.webp'), 'image/webp')).body.url;
  const tall = (await put(app, boss, 'background_tall', sample('small.jpg'), 'image/jpeg')).body.url;
  const icon = (await put(app, boss, 'favicon', plainPng(32, 32, [0, 0, 0]))).body.url;
  await boss.send('PATCH', 'site', {
    title: '烽火 & <b>',
    accent: '#4fb3ff',
    footer: 'one <b>\ntwo',
    slogan_en: 'Play now',
  });
  const page = await fetch(`${app.url}/login`, { headers: { 'accept-language': 'en' } });
  const html = await page.text();
  const style = ':root{--accent:#4fb3ff;--accent-text:#080c12}';
  for (const part of [
    '<title>烽火 &amp; &lt;b&gt;</title>',
    '<p>烽火 &amp; &lt;b&gt;</p>',
    '<meta name="description" content="Play now">',
    `<style>${style}</style>`,
    `<link rel="icon" href="${icon}">`,
    `<img src="${logo}" alt="" width="168" height="56">`,
    `<div class="art own"><picture><source media="(width < 43rem)" srcset="${tall}"><img src="${wide}" alt="" fetchpriority="high"></picture></div>`,
  ])
    expect(html).toContain(part);
  const digest = hash('sha256', style, 'base64');
  expect(page.headers.get('content-security-policy')).toContain(`'sha256-${digest}'`);
  const docs = await fetch(`${app.url}/api/docs?lang=en`);
  const docsHtml = await docs.text();
  for (const part of [
    '<h1>烽火 &amp; &lt;b&gt; API</h1>',
    '--amber:#4fb3ff',
    `href="${icon}"`,
    'one &lt;b&gt;<br>two',
  ])
    expect(docsHtml).toContain(part);
  const docsStyle = hash('sha256', /<style>([\s\S]*?)<\/style>/.exec(docsHtml)?.[1] ?? '', 'base64');
  expect(docs.headers.get('content-security-policy')).toContain(`style-src 'sha256-${docsStyle}'`);

  await app.code('alice@example.com');
  const outbox = join(app.folder, 'outbox');
  const mail = readFileSync(join(outbox, readdirSync(outbox)[0] ?? ''), 'utf8');
  const decoded = decodedParts(mail);
  expect(decoded).toContain(`<img src="https://play.example.com${logo}"`);
  expect(decoded).toContain('color:#4fb3ff');
  expect(decoded).toContain('one &#60;b&#62;<br>two');
  expect(decoded).toContain('烽火 & <b>\none <b>\ntwo');
});

/** Decodes the parts of a mail in any encoding. */
function decodedParts(mail: string): string {
  const parts = mail.split(/\r?\n--[^\r\n]+/).slice(1);
  return parts
    .map((part) => {
      const [head = '', ...body] = part.split(/\r?\n\r?\n/);
      const content = body.join('\n\n');
      if (/base64/i.test(head)) return Buffer.from(content, 'base64').toString();
      const bytes = content
        .replaceAll(/=\r?\n/g, '')
        .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
      return Buffer.from(bytes, 'latin1').toString();
    })
    .join('\n')
    .replaceAll('\r\n', '\n');
}

test('when the site is changed by commands, then it can be shown, reset and moved to another installation', async () => {
  const app = await startTestApp(`sqlite:${tempDir('site')}/gatehouse.db`, { site: { icp: '京ICP备1号' } });
  const folder = tempDir('look');
  const picture = join(folder, 'logo.png');
  writeFileSync(picture, red);
  const links = JSON.stringify([{ label: 'Forum', url: 'https://forum.example' }]);
  for (const args of [
    ['set', 'title', 'Beacon'],
    ['set', 'links', links],
    ['set', 'slogan', 'x'],
    ['unset', 'slogan'],
    ['file', 'logo', picture],
    ['file', 'favicon', picture],
    ['file', 'favicon', '--remove'],
    ['export', join(folder, 'look.json')],
  ])
    expect([args, (await app.cli('site', ...args)).code]).toEqual([args, 0]);
  expect((await app.cli('site', 'set', 'accent', '#222222')).stderr).toMatch(
    /^gatehouse: accent: has a contrast of/,
  );
  expect((await app.cli('site', 'file', 'logo')).code).toBe(2);
  const shown = JSON.parse((await app.cli('site', 'show', '--json')).stdout);
  expect(shown).toContainEqual({ name: 'title', value: 'Beacon', source: 'console' });
  expect(shown).toContainEqual({ name: 'icp', value: '京ICP备1号', source: 'file' });
  expect(shown).toContainEqual({ name: 'slogan', value: null, source: 'default' });

  const other = await startTestApp(`sqlite:${tempDir('site')}/gatehouse.db`);
  await other.cli('site', 'set', 'footer', 'old');
  expect((await other.cli('site', 'import', join(folder, 'look.json'))).code).toBe(0);
  const logo = shown.find(({ name }: { name: string }) => name === 'logo').value;
  const look = { title: 'Beacon', icp: '京ICP备1号', links: JSON.parse(links), logo };
  await expect.poll(() => siteOf(other)).toEqual(look);
  writeFileSync(picture, '{}');
  expect((await other.cli('site', 'import', picture)).code).toBe(1);
});

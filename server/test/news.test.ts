import { setImmediate as nextTurn } from 'node:timers/promises';
import MarkdownIt from 'markdown-it';
import { expect, onTestFinished, test, vi } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { tempDir } from '../../test-support/process.ts';
import { createMarkdown, isSafeHtml } from '../src/features/announcements/render-markdown.ts';
import { harm, payloads } from './support/news-payloads.ts';
import { makeOperator } from './support/operator.ts';
import { startTestApp, type TestApp } from './support/test-app.ts';

const relaxed = { console: { require_totp: false }, public_url: 'https://play.example.com' };
const later = new Date(Date.now() + 3_600_000).toISOString();
const earlier = new Date(Date.now() - 3_600_000).toISOString();

async function titles(app: TestApp, query: string): Promise<string[]> {
  const { body } = await app.get(`/api/news?${query}`);
  return body.news.map(({ title }: { title: string }) => title);
}

describeOnEngines('the news', (engine) => {
  test('when news are written, then readers find them pinned first, by language and page, and never drafts', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const boss = await makeOperator(app);
    const add = async (title: string, more: object = {}) => {
      const fields = { title, body: `# ${title}`, level: 'info', kind: 'news', ...more };
      const answer = await boss.post('announcements', fields);
      expect([title, answer.status]).toEqual([title, 201]);
      return answer.body.id as number;
    };
    const first = await add('First', { summary: 'All of it', from: earlier, body: '**bold** <b>x</b>' });
    await add('English', { language: 'en' });
    await add('中文', { language: 'zh-CN' });
    const draft = await add('Draft', { from: later });
    await add('Pinned', { pinned: true, from: earlier });
    await boss.post('announcements', { title: 'Notice', body: 'x', level: 'info' });

    // Added last. If the refresh after it took too long, the next poll loads it.
    await expect
      .poll(async () => (await app.get('/api/announcement/list')).body.announcements)
      .toMatchObject([{ title: 'Notice' }]);
    expect(await titles(app, 'language=en')).toEqual(['Pinned', 'English', 'First']);
    expect(await titles(app, 'language=zh-CN&limit=50')).toEqual(['Pinned', '中文', 'First']);
    const page = (await app.get('/api/news?language=en&limit=2')).body;
    expect(await titles(app, `language=en&limit=2&cursor=${page.next}`)).toEqual(['First']);

    const one = await app.get(`/api/news/${first}`);
    expect(one.body).toEqual({
      id: first,
      title: 'First',
      summary: 'All of it',
      pinned: false,
      published_at: earlier,
      body_html: '<p><strong>bold</strong> &lt;b&gt;x&lt;/b&gt;</p>\n',
    });
    const etag = one.headers.get('etag') ?? '';
    expect((await app.get(`/api/news/${first}`, { headers: { 'if-none-match': etag } })).status).toBe(304);
    for (const id of [draft, 987, 'x']) expect((await app.get(`/api/news/${id}`)).status).toBe(404);
    for (const query of ['limit=0', 'limit=51', 'cursor=x', 'speech=en'])
      expect([query, (await app.get(`/api/news?${query}`)).status]).toEqual([query, 400]);

    // Characters of four bytes, as long as a text may be; the audit has its beginning.
    const long = '😀'.repeat(20_000);
    await boss.send('PATCH', `announcements/${first}`, { body: long });
    expect((await app.get(`/api/news/${first}`)).body.body_html).toBe(`<p>${long}</p>\n`);
    const refused = await boss.send('PATCH', `announcements/${first}`, { kind: 'notice' });
    expect(refused.body.errors).toMatchObject([{ field: 'body' }]);
    expect((await boss.post('announcements/preview', { body: '*x*' })).body).toEqual({
      body_html: '<p><em>x</em></p>\n',
    });
  });
});

test('when news are shared as a link or read as a feed, then title, summary and address are public', async () => {
  const app = await startTestApp(`sqlite:${tempDir('news')}/gatehouse.db`, relaxed);
  const boss = await makeOperator(app);
  const fields = { title: 'Q&A "1" <b>', body: 'x', level: 'info', kind: 'news', summary: 'It’s <here>' };
  const { id } = (await boss.post('announcements', fields)).body;
  const page = await fetch(`${app.url}/news/${id}`, { headers: { 'accept-language': 'en' } });
  const html = await page.text();
  expect(page.status).toBe(200);
  expect(html).toContain('<title>Q&amp;A &quot;1&quot; &lt;b&gt; · Gatehouse</title>');
  for (const [property, content] of [
    ['og:type', 'article'],
    ['og:site_name', 'Gatehouse'],
    ['og:title', 'Q&amp;A &quot;1&quot; &lt;b&gt;'],
    ['og:description', 'It’s &lt;here&gt;'],
    ['og:url', `https://play.example.com/news/${id}`],
  ])
    expect(html).toContain(`<meta property="${property}" content="${content}">`);
  const list = await (await fetch(`${app.url}/news`, { headers: { 'accept-language': 'en' } })).text();
  expect(list).toContain('<title>News · Gatehouse</title>');
  expect(list).toContain('<meta property="og:url" content="https://play.example.com/news">');
  const unknown = await fetch(`${app.url}/news/987`, { headers: { accept: 'text/html' } });
  expect(unknown.status).toBe(404);
  const feed = await fetch(`${app.url}/news.xml?language=en`);
  expect(feed.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  const xml = await feed.text();
  expect(xml).toContain('<title>Q&amp;A &quot;1&quot; &lt;b&gt;</title>');
  expect(xml).toContain(`<link href="https://play.example.com/news/${id}"/>`);
});

const render = (images: boolean, error = vi.fn()) => createMarkdown({ images: () => images, log: { error } });

test('when many previews are requested at once, then other requests run after each, and news do not wait for them', async () => {
  const rendering = vi.spyOn(MarkdownIt.prototype, 'render');
  onTestFinished(() => rendering.mockRestore());
  const show = render(false);
  await show('x', 'preview');
  rendering.mockClear();
  const previews = Array.from({ length: 30 }, (_, index) => show('['.repeat(500 + index), 'preview'));
  const published = Array.from({ length: 10 }, () => show('*news*'));
  let most = 0;
  let turns = 0;
  for (let before = 0; rendering.mock.calls.length < 31; turns++) {
    await nextTurn();
    most = Math.max(most, rendering.mock.calls.length - before);
    before = rendering.mock.calls.length;
  }
  // One preview, and one published text.
  expect(most).toBeLessThanOrEqual(2);
  expect(turns).toBeGreaterThanOrEqual(30);
  expect(rendering.mock.calls.findIndex(([text]) => text === '*news*')).toBeLessThan(3);
  expect(new Set(await Promise.all(published))).toEqual(new Set(['<p><em>news</em></p>\n']));
  await Promise.all(previews);
  expect(rendering).toHaveBeenCalledTimes(31);
});

test('when news are rendered, then exactly these rules are in use, and links to other sites are marked', async () => {
  const html = await render(false)(
    '## Head\n\n- one\n- *two*\n\n1. x\n\n> quote\n\n`code`\n\n```js\na < b\n```\n\n' +
      '[own](/news/1) [else](https://a.example/?a=1&b=2 "T") <https://b.example> [mail](mailto:a@b.example)\n\n' +
      '![ours](/brand/0123456789abcdef.png) ![theirs](https://c.example/x.png)\n\n| a | b |\n|---|---|\n\nhttps://d.example',
  );
  const rel = 'rel="noopener noreferrer nofollow"';
  for (const part of [
    '<h2>Head</h2>',
    '<ul>\n<li>one</li>\n<li><em>two</em></li>\n</ul>',
    '<ol>\n<li>x</li>\n</ol>',
    '<blockquote>\n<p>quote</p>\n</blockquote>',
    '<code>code</code>',
    '<pre><code>a &lt; b\n</code></pre>',
    '<a href="/news/1">own</a>',
    `<a href="https://a.example/?a=1&amp;b=2" title="T" ${rel}>else</a>`,
    `<a href="https://b.example" ${rel}>https://b.example</a>`,
    '<img src="/brand/0123456789abcdef.png" alt="ours" loading="lazy"> theirs',
    '<p>https://d.example</p>',
  ])
    expect(html).toContain(part);
  expect(await render(true)('![x](https://c.example/x.png)')).toContain('<img src="https://c.example/x.png"');
  expect(await render(true)('![x](http://c.example/x.png)')).toBe('<p>x</p>\n');
});

test('when a link or a picture is refused, then only its text is shown', async () => {
  const rendered = render(false);
  expect(
    await rendered('[*x*](javascript:alert(1) "T") [y](data:text/html,z) [z](//a.example) [own](/a)'),
  ).toBe('<p><em>x</em> y z <a href="/a">own</a></p>\n');
  expect(await rendered('![a](javascript:alert(1)) <a:b>')).toBe('<p>a &lt;a:b&gt;</p>\n');
  expect(await rendered('[x <https://a.example> y](javascript:1) [<a:b>](javascript:2)')).toBe(
    '<p>x <a href="https://a.example" rel="noopener noreferrer nofollow">https://a.example</a> y &lt;a:b&gt;</p>\n',
  );
});

test('when news are written by an attacker, then nothing that runs or loads remains', async () => {
  expect(payloads.length).toBeGreaterThanOrEqual(200);
  const error = vi.fn();
  const rendered = render(false, error);
  for (const text of [...payloads, payloads.join('\n\n').slice(0, 20_000)])
    expect([text, harm(await rendered(text))]).toEqual([text, undefined]);
  expect(error).not.toHaveBeenCalled();
  // The check itself must find what is harmful.
  for (const bad of [
    '<script>',
    '<p onclick="x">',
    '<a href="javascript:x">',
    '<img src="https://a.example/x">',
    '<p',
  ])
    expect([bad, harm(bad) !== undefined, isSafeHtml(bad, 'own')]).toEqual([bad, true, false]);
});

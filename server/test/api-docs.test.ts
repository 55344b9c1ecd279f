import { type JsonSchema, type Route, routes } from '@gatehouse/contract';
import { adminRoutes } from '@gatehouse/contract/admin';
import { Check } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { docsPage } from '../src/http/docs/page.ts';
import { curlSample, sampleOf, typescriptSample } from '../src/http/docs/samples.ts';
import { described, exampleOf, fieldsOf, objectsOf } from '../src/http/docs/schema.ts';
import translations from '../src/http/docs/zh-cn.json' with { type: 'json' };
import { makeOperator } from './support/operator.ts';
import { startTestApp } from './support/test-app.ts';

const every = Object.entries<Route>({ ...adminRoutes, ...routes });
const page = { site: { title: 'S' }, publicUrl: 'https://play.example.com', openApiPath: '/o' } as const;

describe.each(every)('%s', (_name, route) => {
  test('has an example of every body that fits its schema', () => {
    const schemas = [route.body, route.params, ...Object.values(route.answers).map(({ schema }) => schema)];
    for (const schema of schemas.filter((each) => each !== undefined)) {
      const example = exampleOf(schema as JsonSchema);
      expect({ example, fits: Check(schema, example) }).toEqual({ example, fits: true });
    }
  });
});

test('when the players’ routes have a field, then its meaning is described in both languages', () => {
  const zh: Readonly<Record<string, string>> = translations;
  const texts = Object.values<Route>(routes).flatMap((route) => [
    route.tag,
    route.summary,
    ...Object.values(route.answers).map(({ description }) => description),
    ...[
      route.body,
      route.query,
      route.params,
      route.headers,
      ...Object.values(route.answers).map(({ schema }) => schema),
    ]
      .flatMap((schema) => (schema ? objectsOf(described(schema as JsonSchema)) : []))
      .flatMap((object) => fieldsOf(object))
      .map(({ description }) => description),
  ]);
  const missing = [...new Set(texts)].filter((text) => text !== '' && !Object.hasOwn(zh, text));
  expect(missing).toEqual([]);
});

test('when samples are made, then they are valid calls in a shell and in TypeScript', () => {
  const sample = sampleOf(routes.login, page.publicUrl);
  expect(curlSample(sample)).toBe(
    `curl 'https://play.example.com/api/login' \\\n  --json '{"account":"lantern_keeper","password":"lanterns-at-night"}'`,
  );
  expect(typescriptSample(sample)).toContain(
    "await fetch('https://play.example.com/api/login', {\n  method: 'POST',",
  );
  const signed = sampleOf(routes.roles, page.publicUrl);
  expect(curlSample(signed)).toContain(`?server_id=1' \\\n  -H 'authorization: Bearer TOKEN'`);
  expect(curlSample(sampleOf(routes.withdraw, page.publicUrl))).toContain(`-H 'idempotency-key: `);
});

test('when an answer is not JSON, then the sample does not read it as JSON', () => {
  const lastLine = (route: Route) => typescriptSample(sampleOf(route, page.publicUrl)).split('\n').at(-1);
  expect(lastLine(routes.login)).toBe('const answer = await response.json();');
  expect(lastLine(routes.agreement)).toBe('const answer = await response.text();');
  expect(lastLine(routes.logout)).toMatch(/^if \(!response\.ok\)/);
  expect(lastLine(routes.authorize)).toBe(
    "location.assign('https://play.example.com/api/forumauth/authorize');",
  );
});

test('when a body has two forms, then the fields of both are listed', () => {
  const html = docsPage({ ...page, routes: { reportChat: routes.reportChat }, language: 'en' });
  for (const field of ['content', 'records', 'records[].content'])
    expect(html).toContain(`<code>${field}</code></th>`);
});

test('when a page is rendered, then every operation and refusal has an anchor, and every link leads to one', () => {
  for (const language of ['en', 'zh-CN'] as const)
    for (const [all, operatorsPath] of [
      [routes, '/a'],
      [adminRoutes, undefined],
    ] as const) {
      const html = docsPage({ ...page, routes: all, language, ...(operatorsPath && { operatorsPath }) });
      const ids = new Set(Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id));
      for (const name of Object.keys(all)) expect(ids).toContain(name);
      const targets = Array.from(html.matchAll(/href="#([^"]+)"/g), ([, id]) => id);
      expect(targets.filter((id) => !ids.has(id))).toEqual([]);
      expect(html).not.toContain('undefined');
    }
});

test('when the page is requested, then it is in the caller’s language, and operators’ routes are shown only to operators', async () => {
  const app = await startTestApp(freshSqlite(), { console: { require_totp: false } });
  const open = async (path: string, accepted: string) => {
    const { headers, text } = await app.get(path, { headers: { 'accept-language': accepted } });
    return {
      language: headers.get('content-language'),
      isChinese: text.includes('快速上手'),
      policy: headers.get('content-security-policy'),
    };
  };
  expect(await open('/api/docs', 'en')).toMatchObject({ language: 'en', isChinese: false });
  expect(await open('/api/docs', 'zh-CN,en;q=0.5')).toMatchObject({ language: 'zh-CN', isChinese: true });
  expect(await open('/api/docs?lang=en', 'zh-CN')).toMatchObject({ language: 'en' });
  const { policy } = await open('/api/docs', 'en');
  expect(policy).not.toMatch(/unsafe|\*|https?:/);

  expect((await app.get('/api/admin/docs')).status).toBe(401);
  const boss = await makeOperator(app, { role: 'viewer' });
  const { status, text } = await boss.get('docs');
  expect(status).toBe(200);
  expect(text).toContain('/api/admin/players');
  expect((await app.get('/api/docs')).text).not.toContain('/api/admin/players');
});

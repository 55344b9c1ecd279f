import { expect, test } from 'vitest';
import { sendRaw } from '../../test-support/raw-http.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { startTestApp } from './support/test-app.ts';

test('when a body is cached, then both paths send the same, and nothing to a client that has it', async () => {
  const service = await startTestApp(freshSqlite());
  for (const path of ['/api/server/list', '/api/config']) {
    // A query sends the request to the router.
    const [cached, routed] = await Promise.all(
      [path, `${path}?x=1`].map(async (target) => {
        const answer = await fetch(service.url + target);
        return { answer, body: await answer.text(), headers: comparable(answer.headers) };
      }),
    );
    expect(cached?.headers).toEqual(routed?.headers);
    expect(cached?.body).toBe(routed?.body);
    expect(cached?.answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);

    const etag = cached?.answer.headers.get('etag') ?? '';
    const [again, routedAgain] = await Promise.all(
      [path, `${path}?x=1`].map((target) =>
        fetch(service.url + target, { headers: { 'if-none-match': `W/${etag}` } }),
      ),
    );
    expect([again?.status, routedAgain?.status]).toEqual([304, 304]);
    expect(comparable(again?.headers)).toEqual(comparable(routedAgain?.headers));

    const metrics = await (await fetch(`${service.url}/api/metrics`)).text();
    expect(metrics).toMatch(new RegExp(`route="${path}",method="GET",status="304"`));
    expect((await fetch(service.url + path, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(service.url + path, { method: 'POST' })).status).toBe(405);
  }
});

test('when requests are pipelined or the connection is not kept, then each gets its whole answer in order', async () => {
  const port = Number(new URL((await startTestApp(freshSqlite())).url).port);
  const ask = (path: string, ...headers: string[]) =>
    [`GET ${path} HTTP/1.1`, 'host: here', ...headers, '', ''].join('\r\n');
  const requests =
    ask('/api/server/list') +
    ask('/api/nothing') +
    ask('/api/config') +
    ask('/api/config', 'connection: close');
  const { raw, closed } = await sendRaw({ port, data: requests });
  expect(closed).toBe(true);
  const answers = raw.split(/(?=HTTP\/1\.1 )/);
  expect(answers.map((answer) => answer.slice(0, 12))).toEqual([
    'HTTP/1.1 200',
    'HTTP/1.1 404',
    'HTTP/1.1 200',
    'HTTP/1.1 200',
  ]);
  const [list = '', , config = '', last = ''] = answers;
  expect(list).toContain('"servers":');
  const bodyOf = (answer: string) => answer.slice(answer.indexOf('\r\n\r\n') + 4);
  expect(bodyOf(config)).toBe(bodyOf(last));
  expect(last).toMatch(/^connection: close\r$/im);
  for (const answer of [list, config, last])
    expect(answer).toMatch(/^date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r$/im);
});

/** Drops headers that differ from request to request. */
function comparable(headers: Headers | undefined): Record<string, string> {
  const { 'x-request-id': _id, date: _date, ...rest } = Object.fromEntries(headers ?? []);
  return rest;
}

import { type JsonSchema, type Route, routes } from '@gatehouse/contract';
import { adminRoutes } from '@gatehouse/contract/admin';
import { expect, test } from 'vitest';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { moment } from '../src/cli/time.ts';
import type { Db } from '../src/db/open.ts';
import type { Reply } from './support/client.ts';
import { dumpOf } from './support/database-dump.ts';
import { makeOperator } from './support/operator.ts';
import { startTestApp } from './support/test-app.ts';

/** The path of a field, with 0 as the index of a list. */
type Path = readonly (string | 0)[];

interface RequestTime {
  readonly route: Route;
  readonly place: 'body' | 'query' | 'params' | 'headers';
  readonly path: Path;
}

/** Returns the paths of the fields that fit. */
function pathsIn(schema: JsonSchema, fits: (schema: JsonSchema, name: string) => boolean): Path[] {
  const children: [string | 0, JsonSchema][] = [
    ...Object.entries(schema.properties ?? {}),
    ...(schema.items ? [[0, schema.items] as [0, JsonSchema]] : []),
  ];
  const below = children.flatMap(([name, child]) => [
    ...(fits(child, String(name)) ? [[name]] : []),
    ...pathsIn(child, fits).map((path) => [name, ...path]),
  ]);
  return [...below, ...(schema.anyOf ?? []).flatMap((each) => pathsIn(each, fits))];
}

function fieldsOf(
  everyRoute: readonly Route[],
  fits: (schema: JsonSchema, name: string) => boolean,
): RequestTime[] {
  return everyRoute.flatMap((route) =>
    (['body', 'query', 'params', 'headers'] as const).flatMap((place) => {
      const schema = route[place] as JsonSchema | undefined;
      return schema === undefined ? [] : pathsIn(schema, fits).map((path) => ({ route, place, path }));
    }),
  );
}

const everyRoute = [...Object.values<Route>(routes), ...Object.values<Route>(adminRoutes)];
const isTimeField = ({ format, anyOf = [] }: JsonSchema): boolean =>
  format === 'date-time' || anyOf.some(isTimeField);
const nameOf = ({ route, path }: RequestTime) => `${route.method} ${route.path} ${path.join('.')}`;
const times = fieldsOf(everyRoute, isTimeField);

/** Returns an object that has only this field. */
const objectWith = (path: Path, value: unknown): unknown =>
  path.reduceRight((inner, name) => (name === 0 ? [inner] : { [name]: inner }), value);

/** What background jobs and the operator's own session write while the requests are sent. */
const ofJobs = ['job_lease', 'stat_cursor', 'day_stat'];
const storedIn = async (db: Db) =>
  (await dumpOf(db)).filter(({ table, column }) => !ofJobs.includes(table) && column !== 'last_seen_at');

/** Leap seconds that could and cannot be, and texts that other parsers take for a time. */
const wrong = [
  '2026-12-31T23:59:60Z',
  '2027-01-01T07:59:60.5+08:00',
  '2026-11-18T12:00:60Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T00:00:00Z[Asia/Shanghai]',
];

test('when a field of a request has the name of a time, then its schema is that of a time', () => {
  const namedSo = (_: JsonSchema, name: string) => /(^|_)(at|from|to|until|since|time)$/.test(name);
  const named = fieldsOf(everyRoute, namedSo).map(nameOf);
  const declared = new Set(times.map(nameOf));
  expect(named.filter((name) => !declared.has(name))).toEqual([]);
  expect(times.length).toBeGreaterThanOrEqual(20);
});

test('when a leap second or an invalid time is sent in any field, then it is refused by its field and nothing is stored', async () => {
  const app = await startTestApp(freshSqlite(), { console: { require_totp: false } });
  const boss = await makeOperator(app);
  const { token } = await app.register('somebody');
  const logins = () => app.db.kysely.selectFrom('player_login').select('id').execute();
  // Logins are written in batches.
  await expect.poll(logins).toHaveLength(1);

  function send({ route, place, path }: RequestTime, time: string): Promise<Reply> {
    const value = objectWith(path, time) as Record<string, string>;
    const url = route.path.replaceAll(/:(\w+)/g, (_, name) => (place === 'params' && value[name]) || '1');
    const target = place === 'query' ? `${url}?${new URLSearchParams(value)}` : url;
    const headers = place === 'headers' ? value : {};
    const body = place === 'body' ? value : undefined;
    if (route.auth === 'operator')
      return boss.send(route.method, target.replace('/api/admin/', ''), body, { headers });
    return app.send(route.method, target, {
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(route.auth === 'player' && { token }),
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  const before = await storedIn(app.db);
  for (const field of times) {
    for (const { status, body } of await Promise.all(wrong.map((time) => send(field, time)))) {
      const refusal = { field: nameOf(field), status, code: body.code };
      expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
      expect(body.errors).toContainEqual(expect.objectContaining({ field: field.path.join('.') }));
    }
  }
  for (const { route, path } of times.filter(({ route, place }) => route.form && place === 'body')) {
    if (path.length > 1) continue;
    const { status, body } = await app.form(route.path, { [String(path[0])]: wrong[0] ?? '' });
    expect({ status, fields: body.errors.map((each: { field: string }) => each.field) }).toMatchObject({
      status: 400,
      fields: expect.arrayContaining([path[0]]),
    });
  }
  expect(await storedIn(app.db)).toEqual(before);

  // The second before is a time: what else is missing may be refused, this field is not.
  for (const field of times) {
    const { body } = await send(field, '2026-12-31T23:59:59Z');
    const refused = (body?.errors ?? []).filter((each: { message: string }) => /time/.test(each.message));
    expect({ field: nameOf(field), refused }).toMatchObject({ refused: [] });
  }
});

test('when a leap second is written in a command, then it is refused', () => {
  for (const time of ['2026-12-31T23:59:60Z', '2026-12-31T23:59:60+00:00', '2027-01-01 07:59:60'])
    expect(() => moment(time)).toThrow('must be a time such as');
  expect(moment('2026-12-31T23:59:59Z')).toBe(Date.UTC(2026, 11, 31, 23, 59, 59));
});

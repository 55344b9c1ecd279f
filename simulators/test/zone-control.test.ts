import { expect, onTestFinished, test } from 'vitest';
import { startControl } from '../src/zone/control.ts';
import { deduct, openZoneWithHero } from './zone-app.ts';

async function openControl() {
  const { zone, hero } = await openZoneWithHero({ saveInterval: 600 });
  const control = await startControl({ zone, maxEarn: 500 });
  onTestFinished(() => control.stop());

  const get = async (path: string) => (await fetch(`${control.url}${path}`)).json();
  async function post(path: string, body: unknown) {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${control.url}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  }
  return { zone, hero, control, get, post };
}

test('when a role is added, then it is listed and its balance can be set', async () => {
  const { zone, hero, get, post } = await openControl();
  const added = await post('/roles', { account: 'bob', name: 'Bob', level: 7, balance: 20 });
  expect(added.body).toMatchObject({ account: 'bob', name: 'Bob', level: 7, balance: 20 });
  const { role_id } = added.body as { role_id: number };
  expect((await post('/balance', { role_id, balance: 77 })).body).toMatchObject({ role_id, balance: 77 });
  expect(await get('/roles')).toMatchObject({
    roles: [
      { role_id: hero.id, balance: 1_000 },
      { role_id, balance: 77 },
    ],
  });
  expect(zone.balance(role_id)).toBe(77);
});

test('when the player earns, then the live balance grows', async () => {
  const { zone, hero, post } = await openControl();
  expect(await post('/earn', { role_id: hero.id, amount: 500 })).toMatchObject({
    status: 200,
    body: { balance: 1_500 },
  });
  await Promise.all(Array.from({ length: 20 }, () => post('/earn', { role_id: hero.id, amount: 10 })));
  expect(zone.balance(hero.id)).toBe(1_700);
});

test.each([
  ['more than the bound', '/earn', { amount: 501 }],
  ['nothing', '/earn', { amount: 0 }],
  ['less than nothing', '/earn', { amount: -1 }],
  ['a fraction', '/earn', { amount: 1.5 }],
  ['a text', '/earn', { amount: '5' }],
  ['for an unknown role', '/earn', { role_id: 9, amount: 5 }],
  ['a negative balance', '/balance', { balance: -1 }],
  ['a role whose name is taken', '/roles', { account: 'bob', name: '战神' }],
  ['a role without a name', '/roles', { account: 'bob' }],
  ['an unknown fault', '/faults', { queue: ['explode'] }],
  ['a broken plan', '/faults', { plan: '7:2:refuse' }],
])('when %s is requested, then it is refused and nothing changes', async (_what, path, fields) => {
  const { zone, hero, post } = await openControl();
  const before = zone.roles();
  const refused = await post(path, { role_id: hero.id, ...fields });
  expect(refused).toMatchObject({ status: 400, body: { error: expect.any(String) } });
  expect(zone.roles()).toEqual(before);
});

test('when a body is not declared as JSON or is not JSON, then it is refused', async () => {
  const { zone, hero, control } = await openControl();
  const body = JSON.stringify({ role_id: hero.id, amount: 5 });
  const undeclared = await fetch(`${control.url}/earn`, { method: 'POST', body });
  expect(undeclared.status).toBe(400);
  const headers = { 'content-type': 'application/json' };
  for (const broken of ['{', '[]', 'null', '"x"', '']) {
    const response = await fetch(`${control.url}/earn`, { method: 'POST', headers, body: broken });
    expect(response.status).toBe(400);
  }
  expect((await fetch(`${control.url}/nowhere`)).status).toBe(404);
  expect(zone.balance(hero.id)).toBe(1_000);
});

test('when the GM port is asked to add currency, then the operation does not exist', async () => {
  const { zone, hero } = await openControl();
  const response = await fetch(new URL('/earn', zone.gmUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ role_id: hero.id, amount: 5 }),
  });
  expect(response.status).toBe(404);
  expect(zone.balance(hero.id)).toBe(1_000);
});

test('when faults are set from outside, then they are injected, and the statistics count them', async () => {
  const { zone, hero, get, post } = await openControl();
  await post('/faults', { queue: ['refuse'] });
  expect(await deduct(zone, { roleid: hero.id })).toMatchObject({ result: 8 });
  expect(await deduct(zone, { roleid: hero.id })).toMatchObject({ result: 0 });
  await post('/faults', { plan: '1:1:not_enough' });
  expect(await deduct(zone, { roleid: hero.id })).toMatchObject({ result: 6 });

  const expected = {
    server_id: 1,
    roles: 1,
    live_balance: 900,
    requests: 3,
    deductions: 1,
    deducted: 100,
    redirects_followed: 0,
    faults: { refuse: 1, ok: 1, not_enough: 1 },
    unsaved: 1,
    last_save_error: null,
  };
  expect(await get('/stats')).toEqual(expected);
  await post('/save', {});
  expect(await get('/stats')).toEqual({ ...expected, unsaved: 0 });
  expect(await get('/journal')).toEqual({ journal: zone.journal() });
  expect(await get('/requests')).toEqual({ requests: zone.requests });
});

test('when a deduction is held, then it is made when it is released from outside', async () => {
  const { zone, hero, post } = await openControl();
  await post('/faults', { queue: ['hold'] });
  const pending = deduct(zone, { roleid: hero.id });
  await expect.poll(() => zone.requests).toHaveLength(1);
  expect(zone.balance(hero.id)).toBe(1_000);
  await post('/release', {});
  expect(await pending).toMatchObject({ result: 0, balance: 900 });
});

test('when the GM interface is paused from outside, then it is closed until it is resumed', async () => {
  const { zone, hero, post } = await openControl();
  await post('/pause', {});
  await expect(deduct(zone, { roleid: hero.id })).rejects.toThrow();
  await post('/resume', {});
  expect(await deduct(zone, { roleid: hero.id })).toMatchObject({ result: 0 });
});

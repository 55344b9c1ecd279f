import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { askGm, deduct, deduction, openZone, openZoneWithHero } from './zone-app.ts';

describe('the GM interface', () => {
  test('when a deduction is requested by GET, then the currency is taken and the new balance returned', async () => {
    const { zone, hero } = await openZoneWithHero();
    const reply = await deduct(zone, { roleid: hero.id, rolename: '战神', amount: 300, order: 'w1' });
    expect(reply).toEqual({ result: 0, msg: 'ok', balance: 700, order: 'w1' });
    expect(zone.balance(hero.id)).toBe(700);
    expect(zone.deductions('w1')).toMatchObject([
      { roleId: hero.id, amount: 300, fault: 'ok', balance: 700 },
    ]);
  });

  test('when a deduction is requested by POST form, then it is taken as well', async () => {
    const { zone, hero } = await openZoneWithHero();
    const body = new URLSearchParams(deduction(zone, { roleid: hero.id, rolename: '战神' }));
    const response = await fetch(zone.gmUrl, { method: 'POST', body });
    expect(await response.json()).toMatchObject({ result: 0, balance: 900 });
    expect(zone.requests).toMatchObject([{ method: 'POST', params: { rolename: '战神', operid: '10030' } }]);
  });

  test.each([
    ['an unknown role', { roleid: 7 }, 4],
    ['a name that is another role’s', { rolename: 'somebody else' }, 4],
    ['a role id that is no number', { roleid: '1 OR 1=1' }, 4],
    ['more than there is', { amount: 1_001 }, 6],
    ['nothing', { amount: 0 }, 5],
    ['a negative amount', { amount: -5 }, 5],
    ['a fraction', { amount: '1.5' }, 5],
    ['an exponent', { amount: '1e2' }, 5],
    ['more than a number holds exactly', { amount: '9007199254740993' }, 5],
    ['another server', { serverid: 2 }, 3],
    ['an unknown operation', { operid: 10029 }, 1],
    ['a receipt where none are offered', { operid: 10031 }, 1],
  ])('when %s is requested, then it is refused and nothing is taken', async (_what, fields, result) => {
    const { zone, hero } = await openZoneWithHero();
    expect(await deduct(zone, { roleid: hero.id, ...fields })).toEqual({ result, msg: expect.any(String) });
    expect(zone.balance(hero.id)).toBe(1_000);
    expect(zone.deductions()).toEqual([]);
    expect(zone.requests).toHaveLength(1);
  });

  test('when the zone has a key, then only a right signature is accepted', async () => {
    const { zone, hero } = await openZoneWithHero({ gmKey: 'gm secret' });
    const params = deduction(zone, { roleid: hero.id, rolename: '战神', amount: 100, order: 'w 1&x=2' });
    const text = `amount=100&operid=10030&order=w 1&x=2&roleid=${hero.id}&rolename=战神&serverid=1`;
    const sign = createHmac('sha256', 'gm secret').update(text).digest('hex');

    for (const wrong of [
      params,
      { ...params, sign: sign.replace(/./g, '0') },
      { ...params, amount: '999', sign },
    ])
      expect(await askGm(zone, wrong)).toMatchObject({ result: 2 });
    expect(zone.balance(hero.id)).toBe(1_000);
    expect(await askGm(zone, { ...params, sign })).toMatchObject({ result: 0, balance: 900 });
  });

  test('when 50 deductions race for a balance that covers 10, then 10 succeed and none is overdrawn', async () => {
    const { zone, hero } = await openZoneWithHero();
    const pending = Array.from({ length: 50 }, (_, n) => deduct(zone, { roleid: hero.id, order: `w${n}` }));
    const replies = await Promise.all(pending);
    expect(replies.filter(({ result }) => result === 0)).toHaveLength(10);
    expect(replies.filter(({ result }) => result === 6)).toHaveLength(40);
    expect(zone.balance(hero.id)).toBe(0);
    expect(zone.deductions().map(({ balance }) => balance)).toEqual([
      900, 800, 700, 600, 500, 400, 300, 200, 100, 0,
    ]);
  });

  test('when another path or method is called, then it is recorded and refused', async () => {
    const { zone, hero } = await openZoneWithHero();
    const url = new URL(zone.gmUrl);
    const query = new URLSearchParams(deduction(zone, { roleid: hero.id }));
    expect((await fetch(`${url.origin}/admin?${query}`)).status).toBe(404);
    expect((await fetch(`${url}?${query}`, { method: 'DELETE' })).status).toBe(405);
    expect(zone.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /admin',
      'DELETE /gm',
    ]);
    expect(zone.journal()).toEqual([]);
  });

  test('when it is paused, then connections are refused; resumed, it listens on the same port', async () => {
    const { zone, hero } = await openZoneWithHero();
    await zone.pauseGm();
    await expect(deduct(zone, { roleid: hero.id })).rejects.toThrow();
    expect(zone.requests).toEqual([]);
    await zone.resumeGm();
    expect(await deduct(zone, { roleid: hero.id })).toMatchObject({ result: 0, balance: 900 });
  });
});

describe('an order that was executed before', () => {
  test('when the zone is old, then the amount is deducted again', async () => {
    const { zone, hero } = await openZoneWithHero();
    await deduct(zone, { roleid: hero.id });
    expect(await deduct(zone, { roleid: hero.id })).toMatchObject({ result: 0, balance: 800 });
    expect(zone.deductions('w1')).toHaveLength(2);
  });

  test('when the zone refuses duplicates, then the amount is deducted once', async () => {
    const { zone, hero } = await openZoneWithHero({ duplicates: 'refuse' });
    await deduct(zone, { roleid: hero.id });
    expect(await deduct(zone, { roleid: hero.id })).toMatchObject({ result: 7 });
    expect(zone.journal().map(({ deducted }) => deducted)).toEqual([true, false]);
    expect(zone.balance(hero.id)).toBe(900);
  });

  test('when the zone answers duplicates alike, then the first answer is repeated', async () => {
    const { zone, hero } = await openZoneWithHero({ duplicates: 'same_answer' });
    const first = await deduct(zone, { roleid: hero.id });
    await deduct(zone, { roleid: hero.id, order: 'w2' });
    expect(await deduct(zone, { roleid: hero.id })).toEqual(first);
    expect(await deduct(zone, { roleid: hero.id, amount: 5 })).toMatchObject({ result: 7 });
    expect(zone.balance(hero.id)).toBe(800);
  });

  test.each(['refuse', 'same_answer'] as const)(
    'when 20 copies arrive concurrently under %s, then one deducts',
    async (duplicates) => {
      const { zone, hero } = await openZoneWithHero({ duplicates });
      await Promise.all(Array.from({ length: 20 }, () => deduct(zone, { roleid: hero.id, order: 'w1' })));
      expect(zone.deductions('w1')).toHaveLength(1);
      expect(zone.balance(hero.id)).toBe(900);
    },
  );

  test('when deductions carry no order, then they are never duplicates', async () => {
    const { zone, hero } = await openZoneWithHero({ duplicates: 'refuse' });
    await deduct(zone, { roleid: hero.id, order: '' });
    expect(await deduct(zone, { roleid: hero.id, order: '' })).toMatchObject({ result: 0, balance: 800 });
  });
});

describe('receipts', () => {
  test('when an order was executed, refused or never seen, then its receipt says so', async () => {
    const { zone, hero } = await openZoneWithHero({ receipts: true });
    await deduct(zone, { roleid: hero.id, order: 'taken', amount: 30 });
    await deduct(zone, { roleid: hero.id, order: 'too much', amount: 5_000 });
    const receipt = (order: string) => askGm(zone, { operid: '10031', order });
    expect(await receipt('taken')).toMatchObject({ result: 0, order: 'taken', executed: true, amount: 30 });
    expect(await receipt('too much')).toMatchObject({ result: 0, executed: false, amount: 0 });
    expect(await receipt('never seen')).toMatchObject({ result: 0, executed: false, amount: 0 });
  });
});

test('when the zone does not have the role, then it says so', async () => {
  const zone = await openZone();
  expect(() => zone.balance(5)).toThrow('no role 5');
  await expect(zone.setBalance(5, 1)).rejects.toThrow('no role 5');
  await zone.addRole({ account: 'alice', name: 'Hero' });
  await expect(zone.addRole({ account: 'bob', name: 'Hero' })).rejects.toThrow('taken');
});

import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sendRaw } from '../../test-support/raw-http.ts';
import { faultPlan, parseFault, parseFaultPlan } from '../src/zone/faults.ts';
import type { Fault, Zone } from '../src/zone/zone.ts';
import { askGm, deduct, deduction, gmUrl, openZoneWithHero } from './zone-app.ts';

const success = '{"result":0,"msg":"ok","balance":900,"order":"w1"}';

/** Sends one deduction of 100 under the fault and returns what came back on the wire. */
async function provoke(fault: Fault, options: { close?: boolean } = {}) {
  const { zone, hero } = await openZoneWithHero({ faults: [fault] });
  const { pathname, search, port } = new URL(gmUrl(zone, deduction(zone, { roleid: hero.id })));
  const connection = (options.close ?? true) ? 'close' : 'keep-alive';
  const data = `GET ${pathname}${search} HTTP/1.1\r\nHost: zone\r\nConnection: ${connection}\r\n\r\n`;
  const answer = await sendRaw({ port: Number(port), data, deadlineMs: 20_000 });
  await expect.poll(() => zone.journal()).toHaveLength(1);
  return { zone, hero, answer, taken: 1_000 - zone.balance(hero.id) };
}

/** Sends one deduction of 100 under the fault and keeps listening. */
async function listenUnder(fault: Fault) {
  const { zone, hero } = await openZoneWithHero({ faults: [fault] });
  const { pathname, search, port } = new URL(gmUrl(zone, deduction(zone, { roleid: hero.id })));
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.on('data', (text) => {
    received += text;
  });
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: zone\r\n\r\n`);
  return { zone, hero, socket, received: () => received };
}

function expectJournal(zone: Zone, fault: Fault, deducted: boolean) {
  expect(zone.journal()).toMatchObject([{ order: 'w1', amount: 100, deducted, fault }]);
  expect(zone.requests).toMatchObject([{ fault }]);
}

describe('a fault', () => {
  test.each([
    ['timeout_before', false],
    ['timeout_after', true],
  ] as const)('when it is %s, then no answer ever comes and deducted is %s', async (fault, deducted) => {
    const { zone, hero, socket, received } = await listenUnder(fault);
    await expect.poll(() => zone.journal()).toHaveLength(1);
    await sleep(300);
    expect({ received: received(), closed: socket.closed }).toEqual({ received: '', closed: false });
    expect(zone.balance(hero.id)).toBe(deducted ? 900 : 1_000);
    expectJournal(zone, fault, deducted);
  });

  test.each([
    ['drop_before', false],
    ['drop_after', true],
  ] as const)('when it is %s, then the connection is closed and deducted is %s', async (fault, deducted) => {
    const { zone, answer, taken } = await provoke(fault, { close: false });
    expect(answer).toMatchObject({ raw: '', closed: true });
    expect(taken).toBe(deducted ? 100 : 0);
    expectJournal(zone, fault, deducted);
  });

  test.each([
    ['http_500_before', false],
    ['http_500_after', true],
  ] as const)('when it is %s, then the answer is a 500 and deducted is %s', async (fault, deducted) => {
    const { zone, answer, taken } = await provoke(fault);
    expect(answer).toMatchObject({ status: 500, closed: true });
    expect(taken).toBe(deducted ? 100 : 0);
    expectJournal(zone, fault, deducted);
  });

  test.each([
    ['garbage_before', false],
    ['garbage_after', true],
  ] as const)(
    'when it is %s, then a 200 carries junk of several kinds and deducted is %s',
    async (fault, deducted) => {
      const { zone, hero } = await openZoneWithHero({ faults: () => fault });
      const bodies: string[] = [];
      for (let n = 0; n < 9; n++) {
        const response = await fetch(gmUrl(zone, deduction(zone, { roleid: hero.id, order: `w${n}` })));
        expect(response.status).toBe(200);
        bodies.push(await response.text());
      }
      expect(new Set(bodies).size).toBe(9);
      expect(bodies.some((body) => body.includes('<html>'))).toBe(true);
      for (const body of bodies) expect(body).not.toMatch(/"result":\s*0/);
      expect(zone.balance(hero.id)).toBe(deducted ? 100 : 1_000);
    },
  );

  test('when it is half_answer, then half of the success is sent after deducting, then the connection is closed', async () => {
    const { zone, answer, taken } = await provoke('half_answer', { close: false });
    expect(answer).toMatchObject({ status: 200, closed: true });
    expect(answer.body).toBe(success.slice(0, success.length / 2));
    expect(Number(answer.headers['content-length'])).toBe(success.length);
    expect(taken).toBe(100);
    expectJournal(zone, 'half_answer', true);
  });

  test('when it is twice, then one deduction is answered with two JSON bodies in one response', async () => {
    const { zone, answer, taken } = await provoke('twice');
    expect(answer.body).toBe(success + success);
    expect(taken).toBe(100);
    expectJournal(zone, 'twice', true);
  });

  test('when it is twice_on_wire, then one deduction is answered with two whole responses', async () => {
    const { zone, hero, received } = await listenUnder('twice_on_wire');
    await expect.poll(() => received().split(success)).toHaveLength(3);
    expect(received().match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expectJournal(zone, 'twice_on_wire', true);
    expect(zone.balance(hero.id)).toBe(900);
  });

  test('when it is redirect, then nothing is taken and a client that follows is recorded', async () => {
    const { zone, hero } = await openZoneWithHero({ faults: () => 'redirect' });
    const url = gmUrl(zone, deduction(zone, { roleid: hero.id }));
    const stayed = await fetch(url, { redirect: 'manual' });
    expect(stayed.status).toBe(302);
    expect(new URL(stayed.headers.get('location') ?? '').origin).not.toBe(new URL(zone.gmUrl).origin);
    expect(zone.redirectsFollowed).toEqual([]);

    expect(await (await fetch(url)).json()).toMatchObject({ result: 0 });
    expect(zone.redirectsFollowed).toEqual([expect.stringContaining('order=w1')]);
    expect(zone.balance(hero.id)).toBe(1_000);
  });

  test('when it is drip, then the deduction is done but its answer is too slow to wait for', async () => {
    const { zone, hero } = await openZoneWithHero({ faults: ['drip'] });
    const leaving = new AbortController();
    const url = gmUrl(zone, deduction(zone, { roleid: hero.id }));
    const response = await fetch(url, { signal: leaving.signal });
    expect(response.status).toBe(200);
    const body = response.text().catch(() => 'left');
    expect(await Promise.race([body, sleep(1_500, 'still dripping')])).toBe('still dripping');
    leaving.abort();
    expect(await body).toBe('left');
    expectJournal(zone, 'drip', true);
    expect(zone.balance(hero.id)).toBe(900);
  });

  test('when it is a faster drip, then a patient client gets the whole success', async () => {
    const { answer } = await provoke('drip:1');
    expect(answer.body).toBe(success);
  });

  test('when it is huge, then 100 MB of valid JSON follow the deduction', async () => {
    const { zone, hero } = await openZoneWithHero({ faults: ['huge'] });
    const response = await fetch(gmUrl(zone, deduction(zone, { roleid: hero.id })));
    const body = await response.text();
    expect(body.length).toBe(100 * 1024 * 1024);
    expect(JSON.parse(body)).toMatchObject({ result: 0, balance: 900, order: 'w1' });
    expect(zone.balance(hero.id)).toBe(900);
  });

  test('when a client disconnects during a huge or dripping answer, then the zone keeps running', async () => {
    const { zone, hero } = await openZoneWithHero({ faults: ['huge', 'drip:10'] });
    for (const order of ['w1', 'w2']) {
      const response = await fetch(gmUrl(zone, deduction(zone, { roleid: hero.id, order })));
      await response.body?.cancel();
    }
    expect(await deduct(zone, { roleid: hero.id, order: 'w3' })).toMatchObject({ result: 0, balance: 700 });
  });

  test('when it is a delay, then the answer is sent after it', async () => {
    const started = performance.now();
    const { zone, answer, taken } = await provoke('delay:300');
    expect(performance.now() - started).toBeGreaterThan(290);
    expect([answer.body, taken]).toEqual([success, 100]);
    expectJournal(zone, 'delay:300', true);
  });

  test('when it is hold, then the deduction waits to be released, and happens even if the client disconnected', async () => {
    const { zone, hero } = await openZoneWithHero({ faults: ['hold'] });
    const url = gmUrl(zone, deduction(zone, { roleid: hero.id }));
    const leaving = new AbortController();
    const pending = fetch(url, { signal: leaving.signal });
    const rejected = expect(pending).rejects.toThrow();
    await expect.poll(() => zone.requests).toHaveLength(1);
    leaving.abort();
    await rejected;
    expect(zone.balance(hero.id)).toBe(1_000);
    zone.release();
    await expect.poll(() => zone.deductions('w1')).toHaveLength(1);
    expectJournal(zone, 'hold', true);
  });

  test.each([
    ['refuse', 8],
    ['not_enough', 6],
  ] as const)('when it is %s, then the refusal is clear and nothing is taken', async (fault, result) => {
    const { zone, answer, taken } = await provoke(fault);
    expect(JSON.parse(answer.body)).toMatchObject({ result });
    expect(taken).toBe(0);
    expectJournal(zone, fault, false);
  });

  test('when it applies to a deduction that must be refused anyway, then nothing is taken', async () => {
    const { zone, hero } = await openZoneWithHero({ faults: ['drop_after'] });
    await expect(deduct(zone, { roleid: hero.id, amount: 5_000 })).rejects.toThrow();
    expect(zone.journal()).toMatchObject([{ deducted: false, refusal: 'not_enough', fault: 'drop_after' }]);
  });
});

describe('a plan of faults', () => {
  test('when a queue is set, then each deduction uses one, receipts none, and the rest is ok', async () => {
    const { zone, hero } = await openZoneWithHero({ receipts: true });
    zone.setFaults(['refuse', 'not_enough']);
    const results = [];
    for (const params of [
      deduction(zone, { roleid: hero.id }),
      { operid: '10031', order: 'w1' },
      deduction(zone, { roleid: hero.id }),
      deduction(zone, { roleid: hero.id }),
    ])
      results.push((await askGm(zone, params)).result);
    expect(results).toEqual([8, 0, 6, 0]);
  });

  test('when a function decides, then it gets the request', async () => {
    const { zone, hero } = await openZoneWithHero({
      faults: ({ order }) => (order === 'bad' ? 'refuse' : 'ok'),
    });
    expect(await deduct(zone, { roleid: hero.id, order: 'bad' })).toMatchObject({ result: 8 });
    expect(await deduct(zone, { roleid: hero.id, order: 'good' })).toMatchObject({ result: 0 });
  });

  test('when two plans share a seed, then they are equal, and the rate is kept', () => {
    const kinds: Fault[] = ['drop_after', 'timeout_before', 'delay:5'];
    const draw = (plan: ReturnType<typeof faultPlan>) => Array.from({ length: 5_000 }, () => plan({}));
    const drawn = draw(faultPlan({ seed: 7, rate: 0.4, kinds }));
    expect(draw(parseFaultPlan('7:0.4:drop_after,timeout_before,delay:5'))).toEqual(drawn);
    expect(draw(faultPlan({ seed: 8, rate: 0.4, kinds }))).not.toEqual(drawn);
    const share = (fault: Fault) => drawn.filter((each) => each === fault).length / drawn.length;
    expect(share('ok')).toBeCloseTo(0.6, 1);
    for (const kind of kinds) expect(share(kind)).toBeCloseTo(0.4 / 3, 1);
  });

  test('when a fault or a plan is misspelt, then it is refused', () => {
    for (const text of ['', 'delay', 'delay:-1', 'explode', 'OK']) expect(() => parseFault(text)).toThrow();
    for (const text of ['7', '7:2:refuse', '7:0.5:', 'x:0.5:refuse', '7:0.5:refuse,explode'])
      expect(() => parseFaultPlan(text)).toThrow();
  });
});

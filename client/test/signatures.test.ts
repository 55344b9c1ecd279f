import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { GatehouseError, signGmCommand, verifyGmCommand, verifyWebhook } from '../src/server/index.ts';

const KEY = 'the GM key';
const hmac = (text: string) => createHmac('sha256', KEY).update(text).digest('hex');
const forged = expect.objectContaining({ code: 'invalid_signature' });
const errorOf = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    expect(error).toBeInstanceOf(GatehouseError);
    return error;
  }
};

describe('a GM command', () => {
  const params = { operid: '10030', rolename: "mule&serverid=2 'x'*战", amount: '5', order: 'w-1' };
  const query = (more: Record<string, string>) => new URLSearchParams({ ...params, ...more }).toString();
  const texts = {
    1: "amount=5&operid=10030&order=w-1&rolename=mule&serverid=2 'x'*战",
    2: 'amount=5&operid=10030&order=w-1&rolename=mule%26serverid%3D2%20%27x%27%2A%E6%88%98',
  } as const;

  test.each([1, 2] as const)(
    'when it is signed in version %i, then its parameters are returned, and the other version refuses it',
    (version) => {
      const sign = hmac(texts[version]);
      expect(signGmCommand(params, KEY, version)).toBe(sign);
      expect(verifyGmCommand(query({ sign }), KEY, { version })).toEqual(params);
      const other = version === 1 ? 2 : 1;
      expect(errorOf(() => verifyGmCommand(query({ sign }), KEY, { version: other }))).toEqual(forged);
    },
  );

  const sign = hmac(texts[1]);
  test.each([
    ['has no signature', query({}), 'sign is missing'],
    ['has an empty one', query({ sign: '' }), 'sign is missing'],
    ['has another', query({ sign: '0'.repeat(64) }), 'does not match'],
    ['has another amount', query({ sign, amount: '999' }), 'does not match'],
    ['has one parameter more', query({ sign, extra: '1' }), 'does not match'],
    ['has a parameter twice', `amount=999&${query({ sign })}`, 'occurs twice'],
    ['has the signature twice', `${query({ sign })}&sign=${sign}`, 'occurs twice'],
  ])('when it %s, then it is refused with the reason', (_what, text, reason) => {
    expect(errorOf(() => verifyGmCommand(text, KEY))).toMatchObject({
      code: 'invalid_signature',
      message: expect.stringContaining(reason),
    });
  });

  test('when the key is empty, then every command is refused', () => {
    const sign = signGmCommand(params, '');
    expect(errorOf(() => verifyGmCommand(query({ sign }), ''))).toEqual(forged);
  });

  test('when gm_url has a query and the signature another name, then both can be configured', () => {
    const text = `?zone=1&${query({ signature: sign })}`;
    expect(verifyGmCommand(text, KEY, { name: 'signature', unsigned: ['zone'] })).toEqual(params);
    expect(errorOf(() => verifyGmCommand(text, KEY, { name: 'signature' }))).toEqual(forged);
  });
});

describe('a webhook', () => {
  const secret = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`;
  const body = '{"type":"player.deleted","timestamp":"2026-01-01T00:00:00.000Z","data":{"player_id":7}}';
  function headersAt(date: Date, ...secrets: string[]) {
    const signatures = secrets.map((each) => new Webhook(each).sign('msg_1', date, body));
    const timestamp = String(Math.floor(date.getTime() / 1000));
    return {
      'webhook-id': 'msg_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    };
  }
  const fresh = headersAt(new Date(), secret);

  test('when it is signed according to Standard Webhooks, then its event is returned', () => {
    const event = { id: 'msg_1', ...JSON.parse(body) };
    expect(verifyWebhook(body, fresh, secret)).toEqual(event);
    expect(verifyWebhook(new TextEncoder().encode(body), new Headers(fresh), secret)).toEqual(event);
    const other = `whsec_${Buffer.from('the secret of the day before ...').toString('base64')}`;
    expect(verifyWebhook(body, headersAt(new Date(), other, secret), secret)).toEqual(event);
  });

  test.each([
    ['is another body', body.replace('7', '8'), fresh, secret, 'no signature matches'],
    ['has another id', body, { ...fresh, 'webhook-id': 'msg_2' }, secret, 'no signature matches'],
    ['has no headers', body, {}, secret, 'no signature matches'],
    ['is older than five minutes', body, headersAt(new Date(Date.now() - 301_000), secret), secret, '300 s'],
    ['is of the future', body, headersAt(new Date(Date.now() + 330_000), secret), secret, '300 s'],
    ['has no time', body, { ...fresh, 'webhook-timestamp': 'now' }, secret, 'no signature matches'],
    ['has another secret', body, fresh, 'whsec_AAAA', 'no signature matches'],
    ['meets no secret', body, fresh, '', 'secret is empty'],
  ])('when it %s, then it is refused with the reason', (_what, text, headers, with_, reason) => {
    expect(errorOf(() => verifyWebhook(text, headers, with_))).toMatchObject({
      code: 'invalid_signature',
      message: expect.stringContaining(reason),
    });
  });
});

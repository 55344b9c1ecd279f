import { refusals } from '@gatehouse/contract/player';
import { mount } from '@vue/test-utils';
import { beforeEach, expect, test } from 'vitest';
import { defineComponent, h } from 'vue';
import type { Failure } from '../api/failure.ts';
import { changeLanguage } from './index.ts';
import { useTexts } from './use-texts.ts';

function texts() {
  let found: ReturnType<typeof useTexts> | undefined;
  const probe = defineComponent({
    setup() {
      found = useTexts();
      return () => h('p');
    },
  });
  mount(probe);
  if (!found) throw new Error('no texts');
  return found;
}

const codes = Object.keys(refusals) as (keyof typeof refusals)[];

const refused = (
  code: keyof typeof refusals,
  more: object = {},
  retryAfter: number | null = null,
): Failure => ({
  kind: 'refused',
  retryAfter,
  problem: { type: '', title: '', status: refusals[code], detail: '', code, request_id: 'r', ...more },
});

beforeEach(() => changeLanguage('zh-CN'));

test.each(['zh-CN', 'en'] as const)(
  'when any refusal is shown in %s, then no raw code is',
  async (language) => {
    await changeLanguage(language);
    const { errorText } = texts();
    for (const code of codes) {
      const text = errorText(refused(code));
      expect(text, code).not.toContain(code);
      expect(text.length, code).toBeGreaterThan(5);
    }
  },
);

test('when the service says how long to wait, then it is shown as minutes and hours, not only as seconds', async () => {
  const { errorText, duration } = texts();
  expect(errorText(refused('too_many_attempts', {}, 540))).toContain('9 分钟');
  expect(duration(42)).toBe('42 秒');
  expect(duration(5400)).toBe('1 小时 30 分钟');
  await changeLanguage('en');
  expect(errorText(refused('too_many_attempts', {}, 45))).toContain('45 s');
});

test.each([
  ['zh-CN', /再试|再来|明天/g],
  ['en', /try again|come back|tomorrow/gi],
] as const)(
  'when the service says how long to wait, then the text says so once, in %s',
  async (language, advice) => {
    await changeLanguage(language);
    const { errorText } = texts();
    const throttles = codes.filter((code) => refusals[code] === 429);
    expect(throttles.length).toBeGreaterThan(1);
    for (const code of throttles)
      expect(errorText(refused(code, {}, 540)).match(advice), code).toHaveLength(1);
  },
);

test('when a zone opens at a known time, then the time is shown without the wait', () => {
  const closed = refused('server_closed', { until: '2099-06-01T00:00:00.000Z' }, 86_400);
  expect(texts().errorText(closed)).toMatch(/2099/);
  expect(texts().errorText(closed)).not.toMatch(/再试/);
});

test('when an account is suspended, then the player reads why and until when', () => {
  const text = texts().errorText(
    refused('account_suspended', { reason: '使用外挂', until: '2099-06-01T00:00:00.000Z' }),
  );
  expect(text).toContain('使用外挂');
  expect(text).toContain('2099');
});

test('when the network fails and when the service fails, then the texts differ', () => {
  const { errorText } = texts();
  expect(errorText({ kind: 'offline' })).not.toBe(errorText({ kind: 'down' }));
});

test('when a field has its own text, then it is used, otherwise the general one', () => {
  const { fieldError } = texts();
  expect(fieldError('email', { issue: 'malformed' })).toContain('邮箱');
  expect(fieldError('code', { issue: 'too_long' })).toBe('内容太长。');
  expect(fieldError('email', { refusal: 'email_taken' })).toContain('已注册');
  expect(fieldError('email', { message: '不能使用一次性邮箱' })).toBe('不能使用一次性邮箱');
  expect(fieldError('email', undefined)).toBe('');
});

test.each(['zh-CN', 'en'] as const)(
  'when dates and numbers are shown in %s, then in the format of the language',
  async (language) => {
    await changeLanguage(language);
    const { dateTime, month, number } = texts();
    for (const value of [0, 12, 999, 1000, 26_366, 1_234_567, -8848, 0.1, 1234.5])
      expect(number(value)).toBe(value.toLocaleString(language));
    const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    const thisYear = new Date(new Date().getFullYear(), 2, 4, 0, 5);
    expect(dateTime(thisYear.toISOString())).toBe(
      thisYear.toLocaleString(language, { month: 'short', day: 'numeric', ...clock }),
    );
    for (let each = 0; each < 12; each++) {
      const date = new Date(2020, each, 28, 21, 30);
      expect(dateTime(date.toISOString())).toBe(
        date.toLocaleString(language, { year: 'numeric', month: 'short', day: 'numeric', ...clock }),
      );
      expect(month(`2020-${String(each + 1).padStart(2, '0')}`)).toBe(
        date.toLocaleDateString(language, { year: 'numeric', month: 'short' }),
      );
    }
  },
);

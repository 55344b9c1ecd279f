import { routes } from '@gatehouse/contract/player';
import { describe, expect, test } from 'vitest';
import { issueOf, issuesOf } from './validation.ts';

const { account, email } = routes.register.body.properties;

describe('checking a form against the contract', () => {
  test.each([
    ['li_bai', null],
    ['abc', 'malformed'],
    ['a'.repeat(25), 'malformed'],
    ['li bai', 'malformed'],
    ['', 'required'],
  ])('when the account is %j, then the issue is %j', (value, issue) => {
    expect(issueOf(account, value, true)).toBe(issue);
  });

  test.each([
    ['libai@example.com', null],
    [' libai@example.com ', null],
    ['libai@localhost', 'malformed'],
    ['a@b\r\nBcc: c@d.e', 'malformed'],
    ['@', 'too_short'],
    [`${'a'.repeat(250)}@b.cn`, 'too_long'],
  ])('when the e-mail is %j, then the issue is %j', (value, issue) => {
    expect(issueOf(email, value, true)).toBe(issue);
  });

  test('when a text has characters beyond 16 bits, then each counts as one', () => {
    expect(issueOf({ type: 'string', maxLength: 2 }, '𠮷𠮷', true)).toBeNull();
    expect(issueOf({ type: 'string', minLength: 3 }, '𠮷𠮷', true)).toBe('too_short');
  });

  test.each([
    [0, 'too_small'],
    [1, null],
    [1.5, 'malformed'],
    [2 ** 53, 'malformed'],
    [Number.NaN, 'malformed'],
    ['5', 'malformed'],
  ])('when the amount is %j, then the issue is %j', (value, issue) => {
    expect(issueOf(routes.withdraw.body.properties.amount, value, true)).toBe(issue);
  });

  test('when fields are empty, then only the required ones are named', () => {
    const empty = { account: '', password: '', email: '', code: '', device: '' };
    expect(issuesOf(routes.register.body, empty)).toEqual({
      account: 'required',
      password: 'required',
      email: 'required',
      code: 'required',
    });
  });
});

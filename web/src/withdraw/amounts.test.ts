import { expect, test } from 'vitest';
import { amountIssue, parseAmount, quickAmounts } from './amounts.ts';

const rules = { min: 100, max: 5000, step: 50 };

test.each([
  [null, 'required'],
  [Number.NaN, 'malformed'],
  [1.5, 'malformed'],
  [50, 'below_min'],
  [5050, 'above_max'],
  [120, 'off_step'],
  [1050, 'above_balance'],
  [1000, null],
] as const)('when %j is requested from a balance of 1000, then the issue is %j', (amount, issue) => {
  expect(amountIssue(amount, rules, 1000)).toBe(issue);
});

test.each([
  ['1,200', 1200],
  [' 500 ', 500],
  ['５００', 500],
  ['', null],
] as const)('when a player types %j, then it is parsed as %j', (typed, amount) => {
  expect(parseAmount(typed)).toBe(amount);
});

test.each(['1.5', '1e3', 'abc', '0x10'])('when a player types %j, then it is not an amount', (typed) => {
  expect(parseAmount(typed)).toBeNaN();
});

test.each([
  [12_345, [100, 1250, 2500, 5000]],
  [430, [100, 200, 400]],
  [100, [100]],
  [99, []],
  [-20, []],
])('when the balance is %j, then the buttons offer %j', (balance, offered) => {
  expect(quickAmounts(rules, balance)).toEqual(offered);
});

test('when amounts are offered, then none of them would be refused', () => {
  for (let balance = 0; balance < 7000; balance += 37) {
    for (const amount of quickAmounts(rules, balance)) expect(amountIssue(amount, rules, balance)).toBeNull();
  }
});

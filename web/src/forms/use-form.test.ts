import { GatehouseError } from '@gatehouse/client';
import { routes } from '@gatehouse/contract/player';
import { expect, test, vi } from 'vitest';
import { useForm } from './use-form.ts';

const refused = (
  code: 'account_taken' | 'weak_password' | 'server_not_found' | 'invalid_request' | 'too_many_attempts',
  errors?: { field: string; message: string }[],
) =>
  new GatehouseError(code, {
    status: 400,
    problem: {
      type: '',
      title: '',
      status: 400,
      detail: '',
      code,
      request_id: 'r',
      ...(errors && { errors }),
    },
  });

function form(send = vi.fn<() => Promise<void>>()) {
  const made = useForm({
    schema: routes.register.body,
    initial: { account: 'li_bai', password: 'moonlight', email: 'a@b.cn', code: '123456' },
    refusalFields: { account_taken: 'account' },
    send,
  });
  return { ...made, send };
}

test('when a field is invalid, then it is marked and nothing is sent', async () => {
  const { values, errors, submit, send } = form();
  values.email = 'nonsense';
  await submit();
  expect(errors).toEqual({ email: { issue: 'malformed' } });
  expect(send).not.toHaveBeenCalled();
});

test('when a field is left empty, then it is not yet an error; when it is left invalid, then it is', () => {
  const { values, errors, checkOnBlur } = form();
  values.account = '';
  checkOnBlur('account');
  expect(errors.account).toBeUndefined();
  values.account = 'a b';
  checkOnBlur('account');
  expect(errors.account).toEqual({ issue: 'malformed' });
  values.account = 'a_b_c';
  checkOnBlur('account');
  expect(errors.account).toBeUndefined();
});

test('when the form is submitted twice, then it is sent once', async () => {
  const { submit, send, busy } = form(vi.fn(() => new Promise<void>((resolve) => setTimeout(resolve, 5))));
  const both = Promise.all([submit(), submit()]);
  expect(busy.value).toBe(true);
  await both;
  expect(send).toHaveBeenCalledOnce();
  expect(busy.value).toBe(false);
});

test('when a refusal concerns one field, then it is shown there with the page’s own text', async () => {
  const said = [{ field: 'account', message: '该账号名已被注册，请换一个。' }];
  const { submit, errors, error } = form(vi.fn().mockRejectedValue(refused('account_taken', said)));
  await submit();
  expect(errors.account).toEqual({ refusal: 'account_taken' });
  expect(error.value).toBeNull();
});

test.each([
  ['invalid_request', 'email', '不能使用一次性邮箱'],
  ['weak_password', 'password', '密码须为 12 到 72 个字符。'],
] as const)(
  'when the service refuses a field with %s, then its message is shown there',
  async (code, field, message) => {
    const { submit, errors, error } = form(vi.fn().mockRejectedValue(refused(code, [{ field, message }])));
    await submit();
    expect(errors).toEqual({ [field]: { message } });
    expect(error.value).toBeNull();
  },
);

test.each([
  ['invalid_request', 'nothing_here'],
  ['server_not_found', 'server_id'],
] as const)(
  'when the service refuses with %s about %s, which the form does not show, then the form shows it as a whole',
  async (code, field) => {
    const said = [{ field, message: 'x' }];
    const { submit, errors, error } = form(vi.fn().mockRejectedValue(refused(code, said)));
    await submit();
    expect(errors).toEqual({});
    expect(error.value).toMatchObject({ problem: { code } });
  },
);

test('when an attempt failed, then the next one starts without its error', async () => {
  const { submit, error } = form(
    vi.fn().mockRejectedValueOnce(refused('too_many_attempts')).mockResolvedValueOnce(undefined),
  );
  await submit();
  expect(error.value).not.toBeNull();
  await submit();
  expect(error.value).toBeNull();
});

test('when the page itself has a bug, then it is not shown as a refusal', async () => {
  const { submit, busy } = form(vi.fn().mockRejectedValue(new TypeError('a bug')));
  await expect(submit()).rejects.toThrow('a bug');
  expect(busy.value).toBe(false);
});

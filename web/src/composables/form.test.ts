import { routes } from '@gatehouse/contract';
import { expect, test, vi } from 'vitest';
import { ApiError, type Failure } from '../failure.ts';
import { useForm } from './form.ts';

const refused = (
  code: 'account_taken' | 'invalid_request' | 'too_many_attempts',
  errors?: { field: string; message: string }[],
) =>
  new ApiError({
    kind: 'refused',
    retryAfter: null,
    problem: {
      type: '',
      title: '',
      status: 400,
      detail: '',
      code,
      request_id: 'r',
      ...(errors && { errors }),
    },
  } satisfies Failure);

function form(send = vi.fn<() => Promise<void>>()) {
  const made = useForm({
    schema: routes.register.body,
    initial: { account: 'li_bai', password: 'moonlight', email: 'a@b.cn', code: '123456' },
    refusalFields: { account_taken: 'account' },
    send,
  });
  return { ...made, send };
}

test('when a field does not fit, then it is marked and nothing is sent', async () => {
  const { values, errors, submit, send } = form();
  values.email = 'nonsense';
  await submit();
  expect(errors).toEqual({ email: { issue: 'malformed' } });
  expect(send).not.toHaveBeenCalled();
});

test('when a field is left empty, then it is not yet a mistake; when it is left wrong, then it is', () => {
  const { values, errors, leave } = form();
  values.account = '';
  leave('account');
  expect(errors.account).toBeUndefined();
  values.account = 'a b';
  leave('account');
  expect(errors.account).toEqual({ issue: 'malformed' });
  values.account = 'a_b_c';
  leave('account');
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

test('when a refusal belongs to a field, then it stands there and not above the form', async () => {
  const { submit, errors, failure } = form(vi.fn().mockRejectedValue(refused('account_taken')));
  await submit();
  expect(errors.account).toEqual({ refusal: 'account_taken' });
  expect(failure.value).toBeNull();
});

test('when the service names fields, then each is marked with its message', async () => {
  const said = [{ field: 'code', message: '太长' }];
  const { submit, errors, failure } = form(vi.fn().mockRejectedValue(refused('invalid_request', said)));
  await submit();
  expect(errors.code).toEqual({ message: '太长' });
  expect(failure.value).toBeNull();
});

test('when the service names no field of the form, then the whole form says so', async () => {
  const said = [{ field: 'nothing_here', message: 'x' }];
  const { submit, failure } = form(vi.fn().mockRejectedValue(refused('invalid_request', said)));
  await submit();
  expect(failure.value).toMatchObject({ problem: { code: 'invalid_request' } });
});

test('when a try failed, then the next one starts clean', async () => {
  const { submit, failure } = form(
    vi.fn().mockRejectedValueOnce(refused('too_many_attempts')).mockResolvedValueOnce(undefined),
  );
  await submit();
  expect(failure.value).not.toBeNull();
  await submit();
  expect(failure.value).toBeNull();
});

test('when the page itself is at fault, then the fault is not dressed up as a refusal', async () => {
  const { submit, busy } = form(vi.fn().mockRejectedValue(new TypeError('a bug')));
  await expect(submit()).rejects.toThrow('a bug');
  expect(busy.value).toBe(false);
});

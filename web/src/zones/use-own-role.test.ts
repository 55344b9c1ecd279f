import { flushPromises } from '@vue/test-utils';
import { expect, test, vi } from 'vitest';
import { api } from '../api/client.ts';
import { session } from '../auth/session.ts';
import { useOwnRole } from './use-own-role.ts';

const role = { role_id: 1001, name: '风清扬', level: 78, balance: 500 };
const signIn = (account: string) =>
  session.start({
    token: `e30.${btoa(JSON.stringify({ account }))}.s`,
    token_type: 'Bearer',
    expires_at: '2099-01-01T00:00:00.000Z',
    account,
    server_id: 1,
  });

test('when a role is known, then it is shown at once, but not to another account in the same tab', async () => {
  const roles = vi.spyOn(api, 'roles').mockResolvedValueOnce({ roles: [role] });
  signIn('li_bai');
  useOwnRole(() => 1);
  await flushPromises();
  roles.mockReturnValue(new Promise(() => {}));
  expect(useOwnRole(() => 1).value).toEqual(role);
  signIn('du_fu');
  expect(useOwnRole(() => 1).value).toBeNull();
});

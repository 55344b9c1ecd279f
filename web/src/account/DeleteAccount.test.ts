import { GatehouseError } from '@gatehouse/client';
import type { OwnAccount } from '@gatehouse/contract/own-account';
import { flushPromises, mount, RouterLinkStub } from '@vue/test-utils';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { api } from '../api/client.ts';
import { session } from '../auth/session.ts';
import { changeLanguage, loadAccountTexts } from '../i18n/index.ts';

const serverList = vi.spyOn(api, 'serverList');
const roles = vi.spyOn(api, 'roles');
const deleteAccount = vi.spyOn(api, 'deleteAccount');
// Mocked before the import, because use-config.ts takes `api.config` when it is loaded.
const config = { withdraw: { currency: 'gold' } } as Awaited<ReturnType<typeof api.config>>;
vi.spyOn(api, 'config').mockResolvedValue(config);
const { default: DeleteAccount } = await import('./DeleteAccount.vue');

const owner: OwnAccount = {
  account: 'li_bai',
  email: 'libai@example.com',
  created_at: '2025-03-01T08:00:00.000Z',
  last_login_at: null,
  two_factor: { enabled: false },
  deletion_at: null,
  has_password: true,
  may_choose_name: false,
};

function show(account: OwnAccount) {
  const page = mount(DeleteAccount, {
    props: { account },
    global: { stubs: { RouterLink: RouterLinkStub } },
  });
  onTestFinished(() => page.unmount());
  return page;
}

beforeEach(async () => {
  serverList.mockResolvedValue({ servers: [] });
  await loadAccountTexts();
  await changeLanguage('en');
});
afterEach(() => vi.clearAllMocks());

test('when a balance is settling, then the warning of what is lost includes it', async () => {
  session.start({
    token: `e30.${btoa(JSON.stringify({ account: 'li_bai' }))}.s`,
    token_type: 'Bearer',
    expires_at: '2099-01-01T00:00:00.000Z',
    account: 'li_bai',
    server_id: 3,
  });
  const zone = { server_id: 3, name: '玄武门', address: 's3.example', port: 7003, status: 'open' as const };
  serverList.mockResolvedValue({ servers: [{ ...zone, opened_at: null }] });
  roles.mockResolvedValue({
    roles: [
      { role_id: 1001, name: '风清扬', level: 78, balance: 1200, settling: 300 },
      { role_id: 1002, name: '小龙女', level: 45, balance: 0, settling: 700 },
      { role_id: 1003, name: '杨过', level: 45, balance: 0 },
    ],
  });
  const page = show(owner);
  await flushPromises();
  const lost = page.findAll('.notice li').map((line) => line.text());
  expect(lost).toEqual([
    expect.stringMatching(/风清扬.* 1,500 gold/),
    expect.stringMatching(/小龙女.* 700 gold/),
  ]);
});

test.each([
  [false, 'Wrong password. Please try again.', 'true'],
  [true, 'Wrong password or code. Please try again.', undefined],
])(
  'when two-factor login is %j and the service refuses, then the page says %j',
  async (enabled, text, isInvalid) => {
    const problem = { type: '', title: '', status: 401, detail: '', request_id: 'r' };
    deleteAccount.mockRejectedValue(
      new GatehouseError('invalid_credentials', {
        status: 401,
        problem: { ...problem, code: 'invalid_credentials' },
      }),
    );
    const page = show({ ...owner, two_factor: { enabled } });
    await page.get('[name=password]').setValue('moonlight-1');
    await page.get('[name=code]').setValue('123456');
    if (enabled) await page.get('[name=second_factor]').setValue('654321');
    await page.get('form').trigger('submit');
    await flushPromises();
    expect(deleteAccount).toHaveBeenCalledOnce();
    expect(page.text()).toContain(text);
    expect(page.get('[name=password]').attributes('aria-invalid')).toBe(isInvalid);
  },
);

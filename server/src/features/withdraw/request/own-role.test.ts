import { expect, test } from 'vitest';
import type { ZoneDriver } from '../../../integrations/zone-driver.ts';
import { ownRole, prefixOf } from './own-role.ts';

const driver = {
  roles: async () => [
    { roleId: 1, name: 'Anna' },
    { roleId: 2, name: 's2.Anna' },
    { roleId: 3, name: 'Twin' },
    { roleId: 4, name: 'Twin' },
    { roleId: 5, name: '6' },
    { roleId: 9, name: 's2.1' },
  ],
} as unknown as ZoneDriver;
const find = (role: number | string, prefix?: string) => ownRole(driver, 'anna', { role, prefix });
const unknown = expect.objectContaining({ code: 'role_not_found' });

test('when a role is named by id or by exact name, then it is that role', async () => {
  expect(await find(1)).toEqual({ roleId: 1, name: 'Anna' });
  expect(await find('Anna')).toEqual({ roleId: 1, name: 'Anna' });
  expect(await find(3)).toEqual({ roleId: 3, name: 'Twin' });
  for (const other of ['anna', 'Anna ', '1', 6, 0]) await expect(find(other)).rejects.toThrow(unknown);
});

test('when the requested zone was merged, then the renamed role goes before one of the new zone with the plain name', async () => {
  expect(await find('Anna', 's2.')).toEqual({ roleId: 2, name: 's2.Anna' });
  expect(await find('Anna', 's3.')).toEqual({ roleId: 1, name: 'Anna' });
});

test('when the role of a merged zone is named by id, then a role whose name looks like it is left alone', async () => {
  expect(await find(1, 's2.')).toEqual({ roleId: 1, name: 'Anna' });
});

test('when two roles share the name, then it is refused, and nothing is taken from either', async () => {
  await expect(find('Twin')).rejects.toThrow(unknown);
});

test('when the player may not withdraw any more, then no role is looked for', async () => {
  await expect(ownRole(driver, undefined, { role: 1, prefix: undefined })).rejects.toThrow(
    expect.objectContaining({ code: 'account_suspended' }),
  );
});

test('when a request named a merged zone, then its id is in the prefix, every time', () => {
  expect(prefixOf({ originServerId: 2 }, 's{server_id}-{server_id}.')).toBe('s2-2.');
  expect(prefixOf({ originServerId: 2 }, undefined)).toBeUndefined();
  expect(prefixOf({ originServerId: null }, 's{server_id}.')).toBeUndefined();
});

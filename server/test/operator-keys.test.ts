import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { auditRows } from './support/audit.ts';
import { keyClient, makeOperator, OPERATOR_PASSWORD } from './support/operator.ts';
import { startTestApp } from './support/test-app.ts';

const relaxed = { console: { require_totp: false } };
const password = OPERATOR_PASSWORD;

describeByTier('keys of scripts', (engine) => {
  test('when a script presents its key, then it has the permissions of its role, until the key ends', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const admin = await makeOperator(app);
    const made = await admin.post('keys', { name: 'nightly', role: 'admin', days: 1 });
    expect(made.status).toBe(201);
    expect(made.body.key).toMatch(/^ghk_[\w-]{43}$/);
    expect((await admin.post('keys', { name: 'nightly', role: 'viewer' })).body.code).toBe('operator_taken');
    const script = keyClient(app, made.body.key);
    expect((await script.get('me')).body).toMatchObject({ name: 'nightly', role: 'admin', totp: false });
    expect((await script.get('operators')).status).toBe(200);
    for (const [method, path, body] of [
      ['POST', 'operators', { name: 'made-by-script', role: 'viewer' }],
      ['PATCH', 'operators/boss', { role: 'viewer' }],
      ['POST', 'operators/boss/invite', {}],
      ['POST', 'keys', { name: 'another', role: 'viewer' }],
      ['DELETE', 'keys/nightly', undefined],
    ] as const)
      expect((await script.send(method, path, body)).body.code).toBe('permission_denied');
    expect((await script.post('players/1/sign_out')).body.code).toBe('account_not_found');
    expect((await script.post('me/totp')).body.code).toBe('permission_denied');
    const change = { old_password: 'x', password };
    expect((await script.post('me/password', change)).body.code).toBe('permission_denied');
    const [listed] = (await admin.get('keys')).body.keys;
    expect(listed).toMatchObject({ name: 'nightly', role: 'admin', created_by: 'boss' });
    expect(listed.last_used_at).not.toBeNull();

    await app.db.kysely.updateTable('operator_key').set({ expires_at: 1 }).execute();
    expect((await script.get('me')).status).toBe(401);
    await app.db.kysely.updateTable('operator_key').set({ expires_at: null }).execute();
    expect((await script.get('me')).status).toBe(200);
    // Many clients name the type of every request, also of one without a body.
    const typed = { headers: { 'content-type': 'application/json' } };
    expect((await admin.send('DELETE', 'keys/nightly', undefined, typed)).status).toBe(200);
    expect((await script.get('me')).status).toBe(401);
    expect((await admin.send('DELETE', 'keys/nightly')).body.code).toBe('not_found');
  });

  test('when the operator who made a key is disabled or no longer an administrator, then the key is revoked', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const boss = await makeOperator(app);
    const made = JSON.parse(
      (await app.cli('operator', 'key', 'add', 'by-host', '--role', 'viewer', '--json')).stdout,
    );
    for (const [name, change] of Object.entries({
      ann: { status: 'disabled' },
      bob: { role: 'manager' },
      eve: { zones: [1] },
    })) {
      const maker = await makeOperator(app, { name });
      const script = keyClient(
        app,
        (await maker.post('keys', { name: `of-${name}`, role: 'viewer' })).body.key,
      );
      expect((await script.get('me')).status).toBe(200);
      expect((await boss.send('PATCH', `operators/${name}`, change)).status).toBe(200);
      expect((await script.get('me')).status).toBe(401);
      const written = (await auditRows(app.db)).slice(-2).map(({ actor, subject_id }) => [actor, subject_id]);
      expect(written.sort()).toEqual([
        ['boss', name],
        ['boss', `of-${name}`],
      ]);
    }
    expect((await keyClient(app, made.key).get('me')).status).toBe(200);
  });

  test('when a key and an operator would have the same name, or the only administrator would be invited again, then it is refused', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const boss = await makeOperator(app);
    await boss.post('keys', { name: 'nightly', role: 'viewer' });
    for (const [path, name] of [
      ['keys', 'boss'],
      ['operators', 'nightly'],
    ] as const)
      expect((await boss.post(path, { name, role: 'viewer' })).body.code).toBe('operator_taken');
    expect(await boss.post('operators/boss/invite')).toMatchObject({
      status: 422,
      body: { code: 'would_lock_out' },
    });
    expect((await boss.get('me')).status).toBe(200);
    // The recovery for an administrator who has lost the second factor.
    expect((await app.cli('operator', 'invite', 'boss')).stdout).toContain('is invited again');
  });
});

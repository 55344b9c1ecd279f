import { Readable } from 'node:stream';
import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import type { Identity } from '../../http/authentication.ts';
import { JSON_TYPE, responseHeaders } from '../../http/headers.ts';
import { originOf } from '../../http/input.ts';
import { mount } from '../../http/mount.ts';
import { changeEmail, changePassword, chooseName } from './change-account.ts';
import { deleteAccount, keepAccount } from './delete-account.ts';
import { exportAccount } from './export-account.ts';
import { ownTotp } from './own-totp.ts';
import { type OwnAccountDeps, type Owner, showAccount } from './owner.ts';
import { listLogins, signOutEverywhere } from './sessions.ts';

export function ownAccountRoutes(app: FastifyInstance, deps: OwnAccountDeps): void {
  const show = showAccount(deps);
  mount(app, routes.ownAccount, ({ identity }) => show(identity.playerId));

  const setPassword = changePassword(deps);
  mount(app, routes.changePassword, (input) => setPassword(ownerOf(input), input.body));

  const signOut = signOutEverywhere(deps);
  mount(app, routes.signOutEverywhere, (input) => signOut(ownerOf(input)));

  const rename = chooseName(deps);
  mount(app, routes.chooseName, (input) => rename(ownerOf(input), input.body.account));

  const setEmail = changeEmail(deps);
  mount(app, routes.changeEmail, (input) => setEmail(ownerOf(input), input.body));

  const logins = listLogins(deps);
  mount(app, routes.ownLogins, ({ identity }) => logins(identity.playerId));

  const totp = ownTotp(deps);
  mount(app, routes.beginTotp, (input) => totp.begin(ownerOf(input), input.body.password));
  mount(app, routes.confirmTotp, (input) => totp.confirm(ownerOf(input), input.body.code));
  mount(app, routes.renewRecoveryCodes, (input) => totp.renewRecoveryCodes(ownerOf(input), input.body.code));
  mount(app, routes.removeTotp, async (input) => {
    await totp.remove(ownerOf(input), input.body);
    return input.reply.headers(responseHeaders.secret).code(204).send();
  });

  const exportOf = exportAccount(deps);
  mount(app, routes.exportAccount, async ({ identity, reply }) => {
    const pieces = await exportOf(identity);
    return reply
      .headers(responseHeaders.secret)
      .header('content-type', JSON_TYPE)
      .header('content-disposition', `attachment; filename="account-${identity.playerId}.json"`)
      .send(Readable.from(pieces));
  });

  const remove = deleteAccount(deps);
  mount(app, routes.deleteAccount, (input) => remove(ownerOf(input), input.body));
  const keep = keepAccount(deps);
  mount(app, routes.keepAccount, (input) => keep(ownerOf(input)));
}

const ownerOf = (input: { readonly identity: Identity } & Parameters<typeof originOf>[0]): Owner => ({
  ...input.identity,
  ...originOf(input),
});

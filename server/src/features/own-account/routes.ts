import { Readable } from 'node:stream';
import { routes } from '@gatehouse/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Identity } from '../../http/authentication.ts';
import { JSON_TYPE, responseHeaders } from '../../http/headers.ts';
import { mount } from '../../http/mount.ts';
import type { RequestContext } from '../../http/request-context.ts';
import { pickLanguage } from '../../http/texts/index.ts';
import { type ChangeEmailParts, changeEmail } from './change-email.ts';
import { type ChangePasswordParts, changePassword } from './change-password.ts';
import { type ChooseNameParts, chooseName } from './choose-name.ts';
import { type DeleteAccountParts, deleteAccount } from './delete-account.ts';
import { type ExportParts, exportAccount } from './export-account.ts';
import { listLogins } from './list-logins.ts';
import { type OwnTotpParts, ownTotp } from './own-totp.ts';
import type { Owner } from './owner.ts';
import { showAccount } from './show-account.ts';
import { type SignOutParts, signOutEverywhere } from './sign-out-everywhere.ts';

export type OwnAccountParts = ChangeEmailParts &
  ChangePasswordParts &
  ChooseNameParts &
  SignOutParts &
  DeleteAccountParts &
  ExportParts &
  OwnTotpParts &
  Parameters<typeof listLogins>[0];

export function ownAccountRoutes(app: FastifyInstance, parts: OwnAccountParts): void {
  const show = showAccount(parts);
  mount(app, routes.ownAccount, ({ identity }) => show(identity.playerId));

  const setPassword = changePassword(parts);
  mount(app, routes.changePassword, (input) => setPassword(ownerOf(input), input.body));

  const signOut = signOutEverywhere(parts);
  mount(app, routes.signOutEverywhere, (input) => signOut(ownerOf(input)));

  const rename = chooseName(parts);
  mount(app, routes.chooseName, (input) => rename(ownerOf(input), input.body.account));

  const setEmail = changeEmail(parts);
  mount(app, routes.changeEmail, (input) => setEmail(ownerOf(input), input.body));

  const logins = listLogins(parts);
  mount(app, routes.ownLogins, ({ identity }) => logins(identity.playerId));

  const totp = ownTotp(parts);
  mount(app, routes.beginTotp, (input) => totp.begin(ownerOf(input), input.body.password));
  mount(app, routes.confirmTotp, (input) => totp.confirm(ownerOf(input), input.body.code));
  mount(app, routes.removeTotp, async (input) => {
    await totp.remove(ownerOf(input), input.body);
    return input.reply.headers(responseHeaders.secret).code(204).send();
  });

  const exportOf = exportAccount(parts);
  mount(app, routes.exportAccount, async ({ identity, reply }) => {
    const pieces = await exportOf(identity);
    return reply
      .headers(responseHeaders.secret)
      .header('content-type', JSON_TYPE)
      .header('content-disposition', `attachment; filename="account-${identity.playerId}.json"`)
      .send(Readable.from(pieces));
  });

  const remove = deleteAccount(parts);
  mount(app, routes.deleteAccount, (input) => remove(ownerOf(input), input.body));
}

interface OwnInput {
  readonly identity: Identity;
  readonly context: RequestContext;
  readonly request: FastifyRequest;
}

const ownerOf = ({ identity, context, request }: OwnInput): Owner => ({
  ...identity,
  address: context.address,
  userAgent: context.userAgent,
  language: pickLanguage(request.headers['accept-language']),
});

import { ownAccountRoutes as routes } from '@gatehouse/contract/own-account';
import type { BodyOf } from '@gatehouse/contract/player';
import { call, send } from '../api/client.ts';

type Routes = typeof routes;

/** Own-account calls, in a separate module so that only those pages load it. */
export const ownAccountApi = {
  account: () => call<Routes['ownAccount']>(routes.ownAccount),
  logins: () => call<Routes['ownLogins']>(routes.ownLogins),
  changePassword: (body: BodyOf<Routes['changePassword']>) =>
    call<Routes['changePassword']>(routes.changePassword, { body }),
  changeEmail: (body: BodyOf<Routes['changeEmail']>) =>
    call<Routes['changeEmail']>(routes.changeEmail, { body }),
  chooseName: (body: BodyOf<Routes['chooseName']>) => call<Routes['chooseName']>(routes.chooseName, { body }),
  signOutEverywhere: () => call<Routes['signOutEverywhere']>(routes.signOutEverywhere, { body: {} }),
  beginTotp: (body: BodyOf<Routes['beginTotp']>) => call<Routes['beginTotp']>(routes.beginTotp, { body }),
  confirmTotp: (body: BodyOf<Routes['confirmTotp']>) =>
    call<Routes['confirmTotp']>(routes.confirmTotp, { body }),
  removeTotp: (body: BodyOf<Routes['removeTotp']>) => send(routes.removeTotp, { body }),
  exported: async () => (await send(routes.exportAccount)).blob(),
  deleteAccount: (body: BodyOf<Routes['deleteAccount']>) =>
    call<Routes['deleteAccount']>(routes.deleteAccount, { body }),
};

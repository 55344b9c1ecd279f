import * as accounts from './accounts.ts';
import * as forum from './forum.ts';
import * as gameServers from './game-servers.ts';
import * as operation from './operation.ts';
import * as site from './site.ts';
import * as withdrawals from './withdrawals.ts';
import * as zones from './zones.ts';

export type { Session } from './accounts.ts';
export type { AuditAction, Permission } from './admin/index.ts';
export type { Binding } from './forum.ts';
export type { ChatRecord } from './game-servers.ts';
export { Problem } from './problem.ts';
export { type RefusalCode, refusals } from './refusals.ts';
export type { Answer, AnswerOf, Auth, BodyOf, HeadersOf, ParamsOf, QueryOf, Route, Tag } from './route.ts';
export { route } from './route.ts';
export type { PublicConfig } from './site.ts';
export {
  type Role,
  type WithdrawOutcome,
  type WithdrawRecord,
  type WithdrawState,
  withdrawStates,
} from './withdrawals.ts';
export { type ListedZone, type ZoneStatus, zoneStatuses } from './zones.ts';

/** Every route of the service, by name. */
export const routes = {
  login: accounts.login,
  register: accounts.register,
  sendCode: accounts.sendCode,
  resetPassword: accounts.resetPassword,
  check: accounts.check,
  checkByQuery: accounts.checkByQuery,
  serverList: zones.serverList,
  enterGame: zones.enterGame,
  reportChat: gameServers.reportChat,
  bindAccount: gameServers.bindAccount,
  link: gameServers.link,
  roles: withdrawals.roles,
  withdraw: withdrawals.withdraw,
  withdrawals: withdrawals.withdrawals,
  authorize: forum.authorize,
  callback: forum.callback,
  forumBind: forum.forumBind,
  bindings: forum.bindings,
  unbind: forum.unbind,
  config: site.config,
  agreement: site.agreement,
  live: operation.live,
  ready: operation.ready,
  metrics: operation.metrics,
  openapi: operation.openapi,
};
export { Type } from './type.ts';

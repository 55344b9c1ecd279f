import { type OperatorRefusalCode, operatorRefusals } from './admin/refusals.ts';
import { callbackRoutes } from './game-server/callbacks.ts';
import { chatRoutes } from './game-server/chat.ts';
import { checkRoutes } from './game-server/check.ts';
import { operationRoutes } from './operation.ts';
import { accountRoutes } from './player/accounts.ts';
import { announcementRoutes } from './player/announcements.ts';
import { forumRoutes } from './player/forum.ts';
import { newsRoutes } from './player/news.ts';
import { ownAccountRoutes } from './player/own-account.ts';
import { siteRoutes } from './player/site.ts';
import { withdrawalRoutes } from './player/withdrawals.ts';
import { zoneRoutes } from './player/zones.ts';
import { type RefusalCode as PublicRefusalCode, refusals as publicRefusals } from './refusals.ts';

export type { AuditAction } from './admin/audit-action.ts';
export type { Permission } from './admin/permission.ts';
export { AdminProblem } from './admin/problem.ts';
export { type CodePurpose, Email, MAX_ACCOUNT_LENGTH, NewAccount } from './fields.ts';
export type { ChatRecord } from './game-server/chat.ts';
export type { JsonSchema } from './json-schema.ts';
export type { Session } from './player/accounts.ts';
export {
  type Announcement,
  type AnnouncementKind,
  type AnnouncementLanguage,
  type AnnouncementLevel,
  announcementKinds,
  announcementLanguages,
  announcementLevels,
} from './player/announcements.ts';
export type { Binding } from './player/forum.ts';
export type { ListedNews, News } from './player/news.ts';
export type { OwnAccount, OwnLogin } from './player/own-account.ts';
export type { PublicConfig, Site } from './player/site.ts';
export {
  type Role,
  type WithdrawOutcome,
  type WithdrawRecord,
  type WithdrawState,
  withdrawStates,
} from './player/withdrawals.ts';
export { type ListedZone, type ZoneStatus, zoneStatuses } from './player/zones.ts';
export { Problem } from './problem.ts';
export type { Answer, AnswerOf, Auth, BodyOf, HeadersOf, ParamsOf, QueryOf, Route, Tag } from './route.ts';
export { route } from './route.ts';
export {
  type PictureType,
  pictureTypes,
  type SiteFieldName,
  type SiteFields,
  type SiteLink,
  type SitePicture,
  siteFieldNames,
  siteFields,
  sitePictures,
} from './site-fields.ts';
export { Type } from './type.ts';

/** Every refusal of the service: its stable code and its HTTP status. */
export const refusals = { ...publicRefusals, ...operatorRefusals };
export type RefusalCode = PublicRefusalCode | OperatorRefusalCode;

/** Every route of players, game servers and anonymous callers, by name, in the order of the OpenAPI document. */
export const routes = {
  ...accountRoutes,
  ...ownAccountRoutes,
  ...checkRoutes,
  ...zoneRoutes,
  ...chatRoutes,
  ...callbackRoutes,
  ...withdrawalRoutes,
  ...forumRoutes,
  ...siteRoutes,
  ...announcementRoutes,
  ...newsRoutes,
  ...operationRoutes,
};

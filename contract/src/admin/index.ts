import { announcementAdminRoutes } from './announcements.ts';
import { auditRoutes } from './audit.ts';
import { chatRoutes } from './chat.ts';
import { controlRoutes } from './controls.ts';
import { dashboardRoutes } from './dashboard.ts';
import { operatorRoutes } from './operators.ts';
import { playerRoutes } from './players.ts';
import { promoterRoutes } from './promoters.ts';
import { sessionRoutes } from './session.ts';
import { siteAdminRoutes } from './site.ts';
import { systemRoutes } from './system.ts';
import { webhookRoutes } from './webhooks.ts';
import { withdrawalDeskRoutes } from './withdrawals.ts';
import { zoneAdminRoutes } from './zones.ts';

export type { AnswerOf, BodyOf, ParamsOf, QueryOf, Route } from '../route.ts';
export {
  type PictureType,
  pictureTypes,
  type SiteFieldName,
  type SiteFields,
  type SiteLink,
  type SitePicture,
  siteFieldNames,
  siteLinkIcons,
  sitePictures,
} from '../site-fields.ts';
export { type AnnouncementRecord, announcementLengths, announcementTexts } from './announcements.ts';
export type { AuditRecord } from './audit.ts';
export { type AuditAction, auditActions } from './audit-action.ts';
export type { ChatLine } from './chat.ts';
export { type ControlName, controlNames, type ListedControl, type ListedDenyEntry } from './controls.ts';
export type { ListedKey, ListedOperator } from './operators.ts';
export {
  type OperatorRole,
  operatorRoles,
  type Permission,
  permissions,
  permissionsOf,
} from './permission.ts';
export { type ListedPlayer, type PlayerPage, type PlayerStatus, playerStatuses } from './players.ts';
export type { AdminProblem } from './problem.ts';
export type { Promoter } from './promoters.ts';
export { type OperatorRefusalCode, operatorRefusals } from './refusals.ts';
export type { OperatorSession } from './session.ts';
export type { AdminSite, ListedPicture } from './site.ts';
export type { ListedSetting } from './system.ts';
export {
  type WebhookData,
  type WebhookEvent,
  type WebhookEventType,
  webhookData,
  webhookEventTypes,
} from './webhook-events.ts';
export {
  type DeliveryState,
  deliveryStates,
  type ListedDelivery,
  type ListedWebhook,
  type WebhookFormat,
  webhookFormats,
} from './webhooks.ts';
export type { ListedWithdrawal, WithdrawDetail, ZoneReconciliation } from './withdrawals.ts';
export type { AdminZone, ChangedZone, ZoneCheck } from './zones.ts';

/** Every route of the operators' API, by name, in the order of its OpenAPI document. */
export const adminRoutes = {
  ...sessionRoutes,
  ...dashboardRoutes,
  ...playerRoutes,
  ...zoneAdminRoutes,
  ...withdrawalDeskRoutes,
  ...chatRoutes,
  ...promoterRoutes,
  ...controlRoutes,
  ...announcementAdminRoutes,
  ...siteAdminRoutes,
  ...auditRoutes,
  ...operatorRoutes,
  ...webhookRoutes,
  ...systemRoutes,
};

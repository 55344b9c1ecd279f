import { accountRoutes } from './accounts.ts';
import { announcementRoutes } from './announcements.ts';
import { forumRoutes } from './forum.ts';
import { newsRoutes } from './news.ts';
import { siteRoutes } from './site.ts';
import { withdrawalRoutes } from './withdrawals.ts';
import { zoneRoutes } from './zones.ts';

export type { Problem } from '../problem.ts';
export { type RefusalCode, refusals } from '../refusals.ts';
export type { AnswerOf, BodyOf, Route } from '../route.ts';
export type { Session } from './accounts.ts';
export type { Announcement } from './announcements.ts';
export type { ListedNews, News } from './news.ts';
export type { PublicConfig, Site } from './site.ts';
export type { Role, WithdrawRecord, WithdrawState } from './withdrawals.ts';
export type { ListedZone, ZoneStatus } from './zones.ts';

/** Every route that the players' pages may call, by name. Own-account routes are separate because few pages need them. */
export const routes = {
  ...accountRoutes,
  ...zoneRoutes,
  ...withdrawalRoutes,
  ...forumRoutes,
  ...siteRoutes,
  ...announcementRoutes,
  ...newsRoutes,
};

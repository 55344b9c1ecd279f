/** Schemas that have a type of their own in `@gatehouse/client`. */
export { ChatRecord } from './game-server/chat.ts';
export { Session } from './player/accounts.ts';
export { Announcement } from './player/announcements.ts';
export { Binding } from './player/forum.ts';
export { ListedNews, News } from './player/news.ts';
export { OwnAccount, OwnLogin } from './player/own-account.ts';
export { PublicConfig, Site } from './player/site.ts';
export { Role, WithdrawOutcome, WithdrawRecord } from './player/withdrawals.ts';
export { ListedZone } from './player/zones.ts';

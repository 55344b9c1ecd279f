import type { Db } from '@gatehouse/server/db/open';
import { openAnnouncementAdmin } from '@gatehouse/server/features/announcements/admin/module';
import { openSiteAdmin } from '@gatehouse/server/features/site/admin/module';
import type { Settings } from '@gatehouse/server/settings/schema';

const actor = { name: 'playground', via: 'service' } as const;
const DAY_MS = 24 * 3_600_000;

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
  <defs><linearGradient id="sky" x2="0" y2="1"><stop offset="0" stop-color="#8fd0ff"/><stop offset="1" stop-color="#2f6fb2"/></linearGradient></defs>
  <rect width="64" height="64" rx="14" fill="#0d1f33"/>
  <path d="M12 50V30l20-14 20 14v20H40V38a8 8 0 0 0-16 0v12z" fill="url(#sky)"/>
  <circle cx="32" cy="24" r="3" fill="#ffd479"/>
</svg>
`;

const links = [
  { label: '客户端下载', label_en: 'Download', url: '/playground/client/', icon: 'download' as const },
  { label: '玩家论坛', label_en: 'Forum', url: 'https://forum.example.com/', icon: 'forum' as const },
  { label: '联系客服', label_en: 'Help', url: 'mailto:help@example.com', icon: 'help' as const },
];

const news = [
  {
    daysAgo: 9,
    title: '灯火城开放测试 · Open test',
    summary: '三个区服同时开放，数据保留。Three zones, nothing is wiped.',
    body: '三个区服同时开放，**测试数据保留**。\n\nThree zones are open, and **nothing is wiped** after the test.',
  },
  {
    daysAgo: 4,
    title: '提现说明 · About withdrawals',
    summary: '到账时间与每日上限。How long it takes, and the limit of a day.',
    body: '## 到账时间\n\n- 一般几秒内完成\n- 区服维护时请稍候\n\n## Limits\n\n1. From 10 up\n2. At most 50,000 a day\n\n> 单号请妥善保存。Keep the number of a withdrawal.',
  },
  {
    daysAgo: 1,
    pinned: true,
    title: '周五晚八点：攻城战 · Siege on Friday',
    summary: '胜方获得专属称号。The winners get a title of their own.',
    body: '周五 20:00，全服攻城。\n\nOn **Friday at 20:00** all zones fight for the gate. See the [zones](/).',
  },
];

/** Gives the playground its own look and three news. Called once, so that an operator's changes stay. */
export async function brandSite(db: Db, settings: Settings): Promise<void> {
  const site = openSiteAdmin({ db, settings: () => settings, sourceOf: () => 'default' });
  await site.set(actor, {
    slogan: '万家灯火，守此一城',
    slogan_en: 'A thousand lanterns, one gate',
    accent: '#7cc4ff',
    links,
    footer: '演示站点，数据随时可能清空。',
    footer_en: 'A demonstration; its data may be wiped at any time.',
    icp: '京ICP备00000000号-1',
    police: '京公网安备11000000000000号',
    support: 'help@example.com',
  });
  await site.setPicture(actor, 'logo', { type: 'image/svg+xml', content: Buffer.from(logo) });
  const announcements = openAnnouncementAdmin({ db });
  for (const { daysAgo, ...article } of news)
    await announcements.add(actor, {
      ...article,
      kind: 'news',
      level: 'info',
      language: null,
      from: Date.now() - daysAgo * DAY_MS,
      until: null,
    });
}

import type { ListedNews, News, PublicConfig } from '@gatehouse/contract/player';
import { config } from './fixtures.ts';

/** Hills under a bright morning sky: the hardest picture for light text. */
const lightPicture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 900" preserveAspectRatio="xMidYMid slice">
<defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="#fdf6e4"/><stop offset=".6" stop-color="#bfe3f7"/><stop offset="1" stop-color="#8cc4e4"/></linearGradient></defs>
<rect width="1600" height="900" fill="url(#s)"/><circle cx="1180" cy="230" r="90" fill="#fff"/>
<path d="M0 620 260 380l210 190 250-320 330 360 240-200 310 260v230H0z" fill="#9cc3cf"/><path d="M0 760 330 560l300 160 340-230 630 270v140H0z" fill="#6da1a6"/></svg>`;

/** A forest at night. */
const darkPicture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 900" preserveAspectRatio="xMidYMid slice">
<defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="#04120e"/><stop offset="1" stop-color="#0d3326"/></linearGradient></defs>
<rect width="1600" height="900" fill="url(#s)"/><circle cx="1100" cy="210" r="70" fill="#d9f2c9"/>
${Array.from({ length: 26 }, (_, n) => `<path d="M${n * 64 - 20} 900 ${n * 64 + 34} ${430 + ((n * 97) % 210)} ${n * 64 + 92} 900z" fill="${n % 2 ? '#0a241b' : '#06170f'}"/>`).join('')}</svg>`;

export const brandPictures: Readonly<Record<string, string>> = {
  'light.svg': lightPicture,
  'dark.svg': darkPicture,
  'square.svg': `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64"><rect width="64" height="64" rx="14" fill="#1f5fd1"/><path d="M14 46 32 14l18 32z" fill="#fff"/></svg>`,
  'wide.svg': `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 60" width="240" height="60"><path d="M6 52 30 6l24 46z" fill="#59d98c"/><text x="66" y="43" font-family="Georgia,serif" font-size="30" font-weight="700" fill="#e9fff1">VERDANT</text></svg>`,
};

const links = [
  { label: '客户端下载', label_en: 'Download', url: '/download', icon: 'download' as const },
  { label: '玩家论坛', label_en: 'Forum', url: 'https://forum.example.com/', icon: 'forum' as const },
  { label: '玩家社区', label_en: 'Community', url: 'https://qun.example.com/', icon: 'community' as const },
  { label: '帮助中心', label_en: 'Help', url: 'mailto:help@example.com', icon: 'help' as const },
];

const branded = (site: Partial<PublicConfig['site']>): PublicConfig => ({
  ...config,
  site: {
    ...config.site,
    links,
    footer: '抵制不良游戏，拒绝盗版游戏。注意自我保护，谨防受骗上当。\n© 2026 云岭网络科技有限公司',
    footer_en: 'Play in moderation. Beware of scams.\n© 2026 Cloudridge Networks Ltd.',
    icp: '京ICP备20260001号-1',
    police: '京公网安备11010500000001号',
    support: 'help@example.com',
    privacy: 'https://example.com/privacy',
    ...site,
  },
});

export const lightBrand = branded({
  title: '云岭传说',
  slogan: '千山万水，一剑同行',
  slogan_en: 'A thousand hills, one blade',
  accent: '#3880f4',
  logo: '/brand/square.svg',
  background_wide: '/brand/light.svg',
  background_tall: '/brand/light.svg',
});

export const darkBrand = branded({
  title: 'Verdant Online 翠林纪元',
  slogan: '林深之处，自有回响',
  slogan_en: 'Deep in the forest, something answers',
  accent: '#59d98c',
  logo: '/brand/wide.svg',
  background_wide: '/brand/dark.svg',
});

const article = (id: number, title: string, summary: string, pinned = false): News => ({
  id,
  title,
  summary,
  pinned,
  published_at: `2026-10-0${id}T12:00:00.000Z`,
  body_html:
    '<h2>到账时间</h2>\n<p>一般几秒内完成，<strong>区服维护时</strong>请稍候。See the <a href="/">zones</a> or the <a href="https://forum.example.com/" rel="noopener noreferrer nofollow">forum</a>.</p>\n<ul>\n<li>每周五晚八点</li>\n<li>全服开放</li>\n</ul>\n<blockquote>\n<p>胜方获得<a href="/">专属称号</a>。</p>\n</blockquote>\n<pre><code>/siege join\n</code></pre>\n',
});

export const articles = [
  article(
    3,
    '周五晚八点：全服攻城战开启，胜方获得专属称号',
    '胜方获得专属称号与坐骑。The winners get a title of their own.',
    true,
  ),
  article(
    2,
    '十月版本更新说明',
    '新地图、新职业与二十余项修复。New maps, a new class and some twenty fixes.',
  ),
  article(1, '提现说明 · About withdrawals', ''),
];

export const listedNews: ListedNews[] = articles.map(({ body_html: _, ...listed }) => listed);

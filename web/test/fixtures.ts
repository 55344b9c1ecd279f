import type { OwnAccount, OwnLogin } from '@gatehouse/contract/own-account';
import type {
  Announcement,
  ListedZone,
  PublicConfig,
  Role,
  WithdrawRecord,
} from '@gatehouse/contract/player';

/** Origin of the mocked game client. */
export const CLIENT_ORIGIN = 'http://client.test';

export const config: PublicConfig = {
  game: { name: '烽火长安' },
  registration: { open: true, code_ttl: 60 },
  withdraw: {
    enabled: true,
    currency: '元宝',
    min: 100,
    max: 50_000,
    step: 100,
    daily_max: 200_000,
    rate: 1,
  },
  forum: { enabled: true, providers: [{ id: 'forum', name: '江湖论坛' }] },
  client: { url: `${CLIENT_ORIGIN}/`, handoff: 'iframe' },
  site: { title: '烽火长安' },
};

const zone = (
  server_id: number,
  name: string,
  status: ListedZone['status'],
  more: Partial<ListedZone> = {},
) => ({
  server_id,
  name,
  address: `s${server_id}.game.test`,
  port: 7000 + server_id,
  status,
  opened_at: '2026-01-05T02:00:00.000Z',
  ...more,
});

export const zones: ListedZone[] = [
  zone(12, '朱雀大街', 'new', { opened_at: '2026-07-01T02:00:00.000Z', up: true }),
  zone(11, '玄武门', 'open', { up: true }),
  zone(10, '曲江池', 'open', { up: true }),
  zone(9, '大明宫', 'busy', { up: true }),
  zone(8, '灞桥烟柳', 'open', { up: false }),
  zone(7, '终南山', 'full', { up: true }),
  zone(5, '雁塔晨钟', 'maintenance', { message: '例行维护，预计十点恢复' }),
  zone(13, '昆明湖', 'new', { opened_at: '2099-10-01T02:00:00.000Z' }),
  zone(3, '华清宫', 'open', { up: true }),
];

const names = '朱雀 青龙 白虎 玄武 麒麟 凤凰 鲲鹏 饕餮 貔貅 烛龙'.split(' ');
const fiftyStates = ['open', 'open', 'busy', 'open', 'full', 'open', 'maintenance'] as const;

/** As many as a platform has after some years. */
export const fiftyZones: ListedZone[] = Array.from({ length: 50 }, (_, index) => {
  const id = 50 - index;
  const month = String(1 + Math.floor((id - 1) / 5)).padStart(2, '0');
  const status = id > 48 ? 'new' : (fiftyStates[id % fiftyStates.length] ?? 'open');
  return zone(id, `${names[id % names.length]}${id}区`, status, {
    opened_at: id === 50 ? '2099-01-24T02:00:00.000Z' : `2025-${month}-05T02:00:00.000Z`,
    ...(status === 'maintenance'
      ? { message: '例行维护，预计十点恢复，请各位侠士稍候，补偿将于维护结束后由邮件发放' }
      : { up: true }),
  });
});

/** Realistic names that are longer than any field. */
export const longZones: ListedZone[] = [
  zone(1, 'The Everlasting Dominion of the Crimson Lantern Emperors 12', 'open'),
  zone(2, '烽火连三月家书抵万金白头搔更短浑欲不胜簪长安城', 'open', { up: true }),
];

export const roles: Role[] = [
  { role_id: 1001, name: '风清扬', level: 78, balance: 12_800 },
  { role_id: 1002, name: '小龙女', level: 45, balance: 650 },
];

const record = (n: number, state: WithdrawRecord['state'], amount: number): WithdrawRecord => ({
  withdraw_id: `w-${n}`,
  state,
  server_id: 11,
  role: '风清扬',
  role_id: 1001,
  amount,
  created_at: `2026-10-0${n}T09:30:00.000Z`,
  updated_at: `2026-10-0${n}T09:30:02.000Z`,
});

export const records: WithdrawRecord[] = [
  record(5, 'unknown', 500),
  record(4, 'done', 1200),
  record(3, 'refused', 9000),
  record(2, 'failed', 300),
  record(1, 'done', 100),
];

const payload = Buffer.from(JSON.stringify({ sub: '7', account: 'li_bai' })).toString('base64url');
export const token = `e30.${payload}.c2lnbmF0dXJl`;
export const session = {
  token,
  token_type: 'Bearer',
  expires_at: '2099-01-01T00:00:00.000Z',
  account: 'li_bai',
  server_id: 11,
};

const announcement = (id: number, level: Announcement['level'], title: string, body: string) => ({
  id,
  level,
  title,
  body,
  language: null,
  from: null,
  until: null,
});

export const announcements: Announcement[] = [
  announcement(3, 'info', '新区「朱雀大街」开启', '前三日登录即送坐骑。'),
  announcement(
    2,
    'warning',
    '今晚 22:00 停机维护，预计两小时',
    '维护期间无法进入游戏，提现将顺延处理。\n请提前下线，以免丢失进度。\n维护结束后将发放补偿：\n元宝 200，体力丹 5 个。\nThe servers are down from 22:00 to 24:00.',
  ),
];

export const ownAccount: OwnAccount = {
  account: 'li_bai',
  email: 'libai@example.com',
  created_at: '2025-03-01T08:00:00.000Z',
  last_login_at: '2026-10-05T09:30:00.000Z',
  two_factor: { enabled: false },
  deletion_at: null,
  has_password: true,
  may_choose_name: false,
};

const windowsChrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const iPhoneSafari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2 Mobile/15E148 Safari/604.1';
const loginAt = (hour: number, kind: OwnLogin['kind'], agent: string, server_id: number | null = null) => ({
  at: `2026-10-05T${String(hour).padStart(2, '0')}:30:00.000Z`,
  kind,
  ip: '203.0.113.77',
  agent,
  server_id,
});

export const ownLogins: OwnLogin[] = [
  loginAt(9, 'enter', windowsChrome, 11),
  loginAt(8, 'login', windowsChrome),
  { ...loginAt(6, 'refused', ''), ip: '2001:db8:1:2::9' },
  loginAt(3, 'forum', iPhoneSafari),
  loginAt(1, 'register', iPhoneSafari),
];

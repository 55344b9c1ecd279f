import type { Message } from '../../messages.ts';

const message = (text: Message) => text;

/** Registrations and promoters. */
export const growth = {
  registrations: {
    setCap: '调整上限…',
    ofCap: message(({ named }) => `/ 上限 ${named('cap')}（${named('share')}）`),
    byHour: '按小时',
    byPromoter: '按推广员',
    byBlock: '按地址段',
    direct: '直接注册',
    deny: '封禁…',
  },
  promoters: {
    one: '推广员',
    name: '名称',
    id: '编号',
    registrations: '注册',
    entered: '进入游戏',
    returned: '后续回访',
    addresses: '不同地址',
    withdrawn: '提现',
    lastDays: '最近 30 天',
    none: '还没有推广员',
    noneText: '每个推广员都有自己的链接和二维码。',
    statuses: { active: '有效', closed: '停用' },
    add: '新增推广员',
    addAct: '新增推广员',
    added: message(({ named }) => `${named('name')} 已新增。`),
    rename: '改名',
    renameAct: '保存名称',
    renamed: message(({ named }) => `已改名为 ${named('name')}。`),
    set: {
      closed: {
        act: '停用',
        text: '停用后，通过其链接的注册不再计入。',
        done: message(({ named }) => `${named('name')} 已停用。`),
      },
      active: {
        act: '重新启用',
        text: '通过其链接的注册将重新计入。',
        done: message(({ named }) => `${named('name')} 已启用。`),
      },
    },
    funnel: '转化',
    link: '推广链接',
    linkText: '通过此链接注册的玩家计入该推广员。',
    qr: message(({ named }) => `${named('name')} 的推广二维码`),
    players: '查看玩家',
  },
};

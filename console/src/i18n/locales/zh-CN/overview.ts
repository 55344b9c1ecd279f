import type { Message } from '../../messages.ts';

const message = (text: Message) => text;

export const overview = {
  overview: {
    title: '总览',
    now: '待处理事项',
    calm: '一切正常',
    calmText: '没有待核实的提现，没有掉线的区服，注册数远低于上限。',
    unknown: '待核实的提现',
    open: message(({ named }) => `另有 ${named('n')} 笔正在处理`),
    down: '掉线的区服',
    cap: '今日注册接近上限',
    capOf: message(({ named }) => `上限 ${named('cap')}`),
    capReached: '今日注册已达上限',
    doctor: '体检结果',
    today: '今日截至目前',
    registrations: '注册',
    logins: '登录',
    players: '登录玩家',
    entries: '进入游戏',
    withdrawnIn: message(({ named }) => `提现（${named('currency')}）`),
    versusYesterday: '昨天',
    versusWeek: '上周同日',
    comparedTo: message(({ named }) => `对比均截至 ${named('hour')} 点`),
    soFar: '（截至目前）',
    days: message(({ named }) => `${named('n')} 天`),
    span: '时间范围',
    capLine: '每日上限',
  },
};

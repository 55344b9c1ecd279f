import type { WebhookData, WebhookEventType } from '@gatehouse/contract/admin';
import { parseTime, readableTime } from '../../runtime/time.ts';

export interface TextContext {
  readonly timeZone: string;
}

/** Returns the line for a group chat. */
type Lines = {
  readonly [T in WebhookEventType]: (data: WebhookData<T>, context: TextContext) => string;
} & { readonly 'webhook.test': () => string };

const at = ({ timeZone }: TextContext, time: string) => readableTime(timeZone, parseTime<never>(time));
const names = (operators: WebhookData<'operator.login_failed'>['operators']) =>
  operators.map(({ name, count }) => `${name} × ${count}`).join(', ');
const findings = ({ failing }: WebhookData<'doctor.failing'>) =>
  failing.map(({ check, detail }) => `- ${check}: ${detail}`).join('\n');
const role = ({ role_name, role_id }: WebhookData<'withdraw.done'>) => role_name ?? role_id ?? '-';

const en: Lines = {
  'player.registered': ({ account, player_id }) => `New player: ${account} (${player_id})`,
  'player.banned': ({ account, player_id, reason, until, by }, context) =>
    `${by} banned ${account} (${player_id})${until ? ` until ${at(context, until)}` : ''}${reason ? `: ${reason}` : ''}`,
  'player.unbanned': ({ account, player_id, reason, by }) =>
    `${by} lifted the ban of ${account} (${player_id})${reason ? `: ${reason}` : ''}`,
  'player.deleted': ({ player_id }) => `Player ${player_id} was deleted at their own request`,
  'withdraw.done': (data) =>
    `Withdrawal done: ${data.amount}, role ${role(data)}, zone ${data.server_id} (${data.id})`,
  'withdraw.failed': (data) =>
    `Withdrawal failed: ${data.amount}, role ${role(data)}, zone ${data.server_id} (${data.id})`,
  'withdraw.unknown': (data) =>
    `Withdrawal needs an operator: ${data.amount}, role ${role(data)}, zone ${data.server_id} (${data.id})`,
  'zone.status': ({ name, server_id, status, previous, message, by }) =>
    `${by} set zone ${name} (${server_id}) from ${previous} to ${status}${message ? `: ${message}` : ''}`,
  'zone.down': ({ name, server_id }) => `Zone ${name} (${server_id}) does not answer`,
  'zone.up': ({ name, server_id, down_since }, context) =>
    `Zone ${name} (${server_id}) answers again; it was down since ${at(context, down_since)}`,
  'operator.login_failed': ({ count, operators }) =>
    `${count} failed ${count === 1 ? 'login' : 'logins'} to the console: ${names(operators)}`,
  'doctor.failing': (data) => `gatehouse doctor reports failures:\n${findings(data)}`,
  'webhook.test': () => 'This is a test. Events will arrive here.',
};

const statuses: Record<WebhookData<'zone.status'>['status'], string> = {
  open: '开放',
  new: '新区',
  busy: '繁忙',
  full: '爆满',
  maintenance: '维护',
  closed: '关闭',
};

const zhCN: Lines = {
  'player.registered': ({ account, player_id }) => `新玩家注册：${account}（${player_id}）`,
  'player.banned': ({ account, player_id, reason, until, by }, context) =>
    `${by} 封停了 ${account}（${player_id}）${until ? `，至 ${at(context, until)}` : ''}${reason ? `，原因：${reason}` : ''}`,
  'player.unbanned': ({ account, player_id, reason, by }) =>
    `${by} 解封了 ${account}（${player_id}）${reason ? `，原因：${reason}` : ''}`,
  'player.deleted': ({ player_id }) => `玩家 ${player_id} 的账号已按本人申请删除`,
  'withdraw.done': (data) =>
    `提现已扣除：${data.amount}，角色 ${role(data)}，区服 ${data.server_id}（${data.id}）`,
  'withdraw.failed': (data) =>
    `提现未扣除：${data.amount}，角色 ${role(data)}，区服 ${data.server_id}（${data.id}）`,
  'withdraw.unknown': (data) =>
    `提现待核实，需要操作员处理：${data.amount}，角色 ${role(data)}，区服 ${data.server_id}（${data.id}）`,
  'zone.status': ({ name, server_id, status, previous, message, by }) =>
    `${by} 将区服 ${name}（${server_id}）由“${statuses[previous]}”改为“${statuses[status]}”${message ? `：${message}` : ''}`,
  'zone.down': ({ name, server_id }) => `区服 ${name}（${server_id}）没有应答`,
  'zone.up': ({ name, server_id, down_since }, context) =>
    `区服 ${name}（${server_id}）已恢复应答，自 ${at(context, down_since)} 起没有应答`,
  'operator.login_failed': ({ count, operators }) => `控制台登录失败 ${count} 次：${names(operators)}`,
  'doctor.failing': (data) => `体检（gatehouse doctor）发现故障：\n${findings(data)}`,
  'webhook.test': () => '这是一条测试消息，事件将发送到这里。',
};

export const lines = { 'zh-CN': zhCN, en } as const;

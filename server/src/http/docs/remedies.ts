import type { RefusalCode } from '@gatehouse/contract';
import type { Language } from '../texts/index.ts';

const SUPPORT = ['Quote request_id to the operator.', '请把 request_id 告知操作员。'] as const;
const LIST_AGAIN = ['Fetch the list again.', '重新获取列表。'] as const;

/** What a caller does about each refusal, in English and Chinese. */
const remediesByCode: Readonly<Record<RefusalCode, readonly [en: string, zh: string]>> = {
  invalid_request: [
    'Correct the fields named in errors; do not retry unchanged.',
    '按 errors 修正字段，不要原样重试。',
  ],
  invalid_credentials: ['Let the player type again, or reset the password.', '请玩家重新输入，或重置密码。'],
  invalid_token: ['Log in again and use the new token.', '重新登录，使用新的令牌。'],
  second_factor_required: [
    'Ask for the code and send it with challenge to /api/login/second_factor; a withdrawal takes it as code.',
    '请玩家输入动态验证码，连同 challenge 发往 /api/login/second_factor；提现则放在 code 字段。',
  ],
  address_denied: [
    'The operator has blocked this address; retrying does not help.',
    '该地址已被操作员封禁，重试无效。',
  ],
  caller_not_allowed: [
    'Call from a game server that the operator has listed, with a signature if a key is set.',
    '请从操作员登记过的游戏服务器调用；设置了密钥时还需要签名。',
  ],
  account_suspended: ['Show reason and until to the player.', '向玩家显示 reason 和 until。'],
  withdraw_disabled: [
    'Hide the form until /api/config says enabled.',
    '在 /api/config 显示 enabled 之前隐藏表单。',
  ],
  not_found: ['Check the path.', '检查路径。'],
  account_not_found: ['Check the account or connect_id.', '检查账号或 connect_id。'],
  server_not_found: LIST_AGAIN,
  role_not_found: LIST_AGAIN,
  method_not_allowed: ['Use one of the methods in the Allow header.', '使用 Allow 响应头中的方法。'],
  account_taken: [
    'Let the player choose another name. The code stays valid.',
    '请玩家换一个名字，验证码仍然有效。',
  ],
  email_taken: ['Offer to log in or to reset the password.', '引导玩家登录或重置密码。'],
  already_bound: ['Show the bindings; one must be removed first.', '显示已有绑定，需先解除。'],
  only_way_in: ['Let the player set a password first.', '请玩家先设置密码。'],
  withdraw_in_progress: ['Wait, then look at /api/game/withdrawals.', '稍候，再查询 /api/game/withdrawals。'],
  deduction_refused: [
    'Nothing was taken. Show it; the player may try again.',
    '未扣除任何货币，告知玩家后可重试。',
  ],
  gone: ['Use the routes of this page.', '改用本页列出的接口。'],
  payload_too_large: ['Send less at once.', '减小单次请求的内容。'],
  unsupported_media_type: ['Send Content-Type: application/json.', '使用 Content-Type: application/json。'],
  invalid_code: ['Ask for a new code with /api/send_code.', '用 /api/send_code 重新获取验证码。'],
  invalid_ticket: ['Start the login again.', '重新开始登录。'],
  account_required: ['Ask for the account and send it as well.', '请玩家选择账号，并随请求发送。'],
  weak_password: ['Show detail and let the player choose another.', '显示 detail，请玩家更换密码。'],
  amount_out_of_range: [
    'Offer amounts within min, max and step of /api/config.',
    '按 /api/config 的 min、max、step 提供金额。',
  ],
  insufficient_balance: ['Fetch the roles again and show the balance.', '重新获取角色并显示余额。'],
  idempotency_conflict: [
    'Use a new Idempotency-Key for a new request.',
    '新的请求使用新的 Idempotency-Key。',
  ],
  challenge_required: [
    'Solve challenge (ALTCHA) and repeat the request with X-Challenge-Solution.',
    '求解 challenge（ALTCHA），带上 X-Challenge-Solution 重发请求。',
  ],
  too_many_attempts: ['Wait for Retry-After seconds.', '等待 Retry-After 指定的秒数。'],
  registration_cap_reached: ['Try again tomorrow.', '次日再试。'],
  internal: SUPPORT,
  game_server_unavailable: ['Nothing was taken. Try again later.', '未扣除任何货币，稍后再试。'],
  forum_unavailable: ['Offer the login with a password; try again later.', '提供密码登录，稍后再试。'],
  mail_unavailable: ['Try again in a minute.', '一分钟后再试。'],
  server_closed: [
    'Show until, if there is one, and offer other zones.',
    '显示 until（如有），并提供其他区服。',
  ],
  unavailable: [
    'Show detail. If it says that nothing was changed, repeat the request; otherwise look first whether it was done. Repeat a withdrawal with the same Idempotency-Key.',
    '显示 detail。若其中说明未作更改，可重发；否则先查询是否已完成。提现须用同一个 Idempotency-Key 重发。',
  ],
  permission_denied: ['Ask an operator whose role has the permission.', '请有此权限的操作员操作。'],
  totp_required: ['Set up two-factor login with me/totp.', '用 me/totp 开启两步验证。'],
  withdraw_not_found: LIST_AGAIN,
  operator_not_found: LIST_AGAIN,
  promoter_not_found: LIST_AGAIN,
  operator_taken: ['Choose another name.', '换一个名字。'],
  second_person_required: ['Another operator makes the same decision.', '由另一位操作员作出相同决定。'],
  withdraw_settled: ['Read the withdrawal again.', '重新读取该提现。'],
  zone_has_open_withdrawals: ['Settle them first.', '请先核实这些提现。'],
  would_lock_out: [
    'Let somebody else do it, or add an administrator first.',
    '由他人操作，或先添加一名管理员。',
  ],
  file_refused: ['Convert the picture as detail says.', '按 detail 的说明转换图片。'],
};

const inLanguage = (place: 0 | 1) =>
  Object.fromEntries(Object.entries(remediesByCode).map(([code, texts]) => [code, texts[place]])) as Record<
    RefusalCode,
    string
  >;

export const remedies: Readonly<Record<Language, Readonly<Record<RefusalCode, string>>>> = {
  en: inLanguage(0),
  'zh-CN': inLanguage(1),
};

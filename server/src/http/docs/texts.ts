import type { Language } from '../texts/index.ts';
import { remedies } from './remedies.ts';
import translations from './zh-cn.json' with { type: 'json' };

const zh: Readonly<Record<string, string>> = translations;

const en = {
  title: (site: string) => `${site} API`,
  lead: 'JSON in, JSON out, no envelope. Refusals are RFC 9457 problems with a stable code.',
  forTools: 'OpenAPI document for tools',
  forOperators: 'API for operators',
  search: 'Search routes and fields',
  nothingFound: 'Nothing found.',
  token: 'Token for “Try it”',
  tokenHint: 'Filled in after a login on this page. It is not stored.',
  start: 'Getting started',
  startLead:
    'From a visitor to a game, in six calls. Each links to its details below. In TypeScript, `@gatehouse/client` has functions for players, named like the anchors: `#login` is `login()`. Those for game servers are in `@gatehouse/client/server`, where `#check` is `checkPlayer()`.',
  steps: [
    'Show the zones. The answer has an ETag: ask again with If-None-Match.',
    'Send a code to the e-mail address of a new player.',
    'Register with the code. The answer is a session.',
    'Or log in. Send the token of the answer as Authorization: Bearer with every route that needs a player.',
    'Enter a zone. Open launch_url and hand account, token and server to the game client, as client.handoff of /api/config says.',
    'On the game server: ask whether the token of the client is right, before you let the player in.',
  ],
  refusals: 'Refusals',
  refusalsLead:
    'Decide by status and code. Show detail and errors to people: they are in the language of Accept-Language. Quote request_id when you ask the operator for help.',
  refusalHeads: ['Code', 'What it means', 'What to do'],
  /** What all routes of a tag have in common, by tag. */
  notes: {
    'game servers':
      'A game server is recognised by its address: loopback, the address of a zone, or one that the operator lists in `game_servers.ip`. If the operator has set a key, sign `/api/bind_account` and `/api/link`: send the Unix time in seconds as `X-Timestamp`, and as `X-Signature` the hex HMAC-SHA256, with that key, of the lines timestamp, method, path with query, and body. There is no newline at the end.',
  } as Readonly<Record<string, string>>,
  callers: {
    none: 'anybody',
    player: 'a player with a token',
    game_server: 'a game server',
    operator: 'an operator',
  },
  permission: 'permission',
  path: 'In the path',
  query: 'Query',
  headers: 'Headers',
  body: 'Body',
  or: 'Or',
  bodyOrForm: 'Body (JSON or form)',
  heads: ['Field', 'Type', 'Meaning'],
  optional: 'optional',
  example: 'Example',
  refused: 'Refused with',
  tryIt: 'Try it',
  send: 'Send',
  failed: 'No answer. Is the service running?',
  otherLanguage: '简体中文',
  remedies: remedies.en,
  /** Translates a text of the contract. */
  of: (english: string) => english,
};

export type DocsTexts = typeof en;

const zhCN: DocsTexts = {
  title: (site) => `${site} 接口文档`,
  lead: '请求和响应都是 JSON，没有外层包装。拒绝时返回 RFC 9457 problem，其中的 code 固定不变。',
  forTools: '供工具使用的 OpenAPI 文档',
  forOperators: '操作员接口',
  search: '搜索接口和字段',
  nothingFound: '没有找到。',
  token: '“试一试”使用的令牌',
  tokenHint: '在本页登录后自动填入，不会保存。',
  start: '快速上手',
  startLead:
    '从访客到进入游戏，只需六次调用。点击可跳转到下方的详细说明。TypeScript 可使用 `@gatehouse/client`：玩家接口的函数与锚点同名，例如 `#login` 对应 `login()`；游戏服务器的函数在 `@gatehouse/client/server` 中，`#check` 对应 `checkPlayer()`。',
  steps: [
    '显示区服列表。响应带有 ETag，再次请求时用 If-None-Match。',
    '向新玩家的邮箱发送验证码。',
    '用验证码注册，响应即登录会话。',
    '或者直接登录。需要玩家身份的接口都用 Authorization: Bearer 携带响应中的 token。',
    '进入区服：打开 launch_url，按 /api/config 的 client.handoff 把 account、token 和 server 交给游戏客户端。',
    '在游戏服务器上：放玩家进入之前，先校验客户端带来的 token。',
  ],
  refusals: '拒绝代码',
  refusalsLead:
    '程序按 status 和 code 判断；detail 和 errors 给人看，语言由 Accept-Language 决定。联系操作员时请提供 request_id。',
  refusalHeads: ['代码', '含义', '处理办法'],
  notes: {
    'game servers':
      '游戏服务器按来源地址识别：本机回环地址、区服的地址，或操作员在 `game_servers.ip` 中登记的地址。操作员设置了密钥时，`/api/bind_account` 和 `/api/link` 需要签名：`X-Timestamp` 为 Unix 时间（秒），`X-Signature` 为用该密钥对以下各行计算的 HMAC-SHA256（十六进制）：时间戳、请求方法、带查询串的路径、请求体，末尾没有换行。',
  },
  callers: { none: '任何人', player: '已登录的玩家', game_server: '游戏服务器', operator: '操作员' },
  permission: '权限',
  path: '路径参数',
  query: '查询参数',
  headers: '请求头',
  body: '请求体',
  or: '或',
  bodyOrForm: '请求体（JSON 或表单）',
  heads: ['字段', '类型', '含义'],
  optional: '可选',
  example: '示例',
  refused: '可能的拒绝',
  tryIt: '试一试',
  send: '发送',
  failed: '没有响应，服务是否在运行？',
  otherLanguage: 'English',
  remedies: remedies['zh-CN'],
  of: (english) => zh[english] ?? english,
};

export const docsTexts: Readonly<Record<Language, DocsTexts>> = { en, 'zh-CN': zhCN };

import type { Texts } from './en.ts';

export const zhCN: Texts = {
  areas: {
    setup: { title: '本区服在 Gatehouse 中的设置', about: '这一部分不询问游戏。标红的由操作员处理。' },
    entry: {
      title: '玩家身份核对',
      about: '玩家进入游戏时，游戏服务器调用 POST /api/check。本次检测代替游戏服务器，用专门签发的令牌提问。',
    },
    callbacks: {
      title: '游戏服务器的回调',
      about:
        'bind_account 与 link 是否只放行正确的调用方。用 GET /api/link 查询一个无人使用的编号，不改动任何数据。',
    },
    game: {
      title: '游戏一方的表现',
      about: '游戏数据库与 GM 接口。标红的由游戏开发者修改，或在 gm.*、zones.* 设置中调整。',
    },
  },
  checks: {
    zone: '本区服可供玩家使用',
    'caller address': '游戏服务器的地址可被识别',
    service: 'Gatehouse 有应答',
    'right token': '正确的令牌被接受',
    'wrong token': '错误的令牌被拒绝',
    'repeated ticket': '应答丢失后，同一张票据可以再问一次',
    'used ticket': '已被他人使用的票据被拒绝',
    'foreign ticket': '别的区服的票据被拒绝，且仍然有效',
    'signed callback': '带签名的回调被放行',
    'unsigned callback': '设有密钥时，不带签名的回调被拒绝',
    'replayed callback': '一个签名只能用一次',
    'late callback': '过期的签名被拒绝',
    'game database': '游戏数据库可以读取',
    role: '测试角色存在',
    'GM interface': 'GM 接口有应答',
    'GM signature': '游戏会核对签名',
    'unknown role': '对不存在的角色扣款会被拒绝',
    deduction: '扣款成功并得到确认',
    receipt: '扣款的回执正确',
    balance: '游戏数据库中的余额随之更新',
    'same order': '同一订单发两次只扣一次',
    'too much': '超出余额的扣款会被拒绝',
    'answer time': '应答及时',
  },
  reasons: {
    'zone.open': { says: '{name}，状态 {status}' },
    'zone.merged': {
      says: '已并入区服 {into}',
      advice: '本区服的玩家和提现都已转到区服 {into}，请检测区服 {into}。',
    },
    'caller.recognised': { says: '{address} 被 Gatehouse 识别为游戏服务器' },
    'caller.unlisted': {
      says: '{address} 是域名，它的地址（{found}）都未登记为游戏服务器',
      advice: '把游戏服务器发起请求的地址写入 game_servers.ip，或将本区服的 address 由域名改为地址。',
    },
    'service.answers': { says: '{url}' },
    'service.unknown': {
      says: '未检测：{url} 上没有 Gatehouse',
      advice: '启动服务，或用 --url 指明它的地址。',
    },
    'service.away': { says: '{url} 上没有 Gatehouse 应答：{why}', advice: '启动服务，或改正 --url。' },
    'entry.not_asked': { says: '未检测：Gatehouse 没有应答', advice: '见“Gatehouse 有应答”一项。' },
    'entry.no_account': {
      says: '未检测：没有可签发令牌的账号',
      advice: '用 --account 指定一个自己的账号，不会改动它的任何数据。',
    },
    'entry.unknown_account': { says: '没有账号 {account}', advice: '用 --account 指定一个存在的账号。' },
    'entry.no_hash': {
      says: '未检测：{account} 没有密码，因而没有 md5 令牌',
      advice: '用 --account 指定一个有密码的账号。',
    },
    'entry.taken': { says: '200，格式 {format}' },
    'entry.right_refused': {
      says: '应答为 {answer}',
      advice: '游戏服务器会把这名玩家拒之门外。账号是否被封？{url} 是否就是使用这份设置和这个数据库的服务？',
    },
    'entry.refused': { says: '401 invalid_token' },
    'entry.wrong_taken': {
      says: '应答为 {answer}，应为 401 invalid_token',
      advice: '遇到这种应答不可放行。{url} 是否就是使用这份设置的服务，各实例版本是否一致？',
    },
    'entry.no_tickets': {
      says: '未检测：auth.game_token 为 "{kind}"',
      advice: '票据是最安全的一种：只能用一次，只对一个区服有效。见 docs/zh-CN/game-servers.md 的票据一节。',
    },
    'entry.spent': {
      says: '别的区服问过之后，票据在本应有效的区服被拒绝：{answer}',
      advice: '{url} 是否就是使用这份设置的服务，各实例版本是否一致？',
    },
    'callback.admitted': { says: '已放行' },
    'callback.by_address': { says: '已放行：未设置 game_servers.key，只看地址' },
    'callback.refused': { says: '403 caller_not_allowed' },
    'callback.no_key': {
      says: '未检测：未设置 game_servers.key',
      advice: '设置 game_servers.key，并让游戏为回调签名；起初可用 signature = "observe"。',
    },
    'callback.observed': { says: '未检测：签名目前只观察，不强制', advice: '见“不带签名的回调”一项。' },
    'callback.kept_out': {
      says: '应答为 {answer}',
      advice:
        '请在 Gatehouse 或游戏服务器所在的机器上运行，直接访问服务而不经过代理；密钥须与服务一致，时钟相差不超过 300 秒。',
    },
    'callback.let_in': {
      says: '应答为 {answer}，应为 403 caller_not_allowed',
      advice: '所有游戏服务器都签名之后，写 game_servers.signature = "enforce" 并重启服务。',
    },
    'database.read': { says: '表和列都在' },
    'database.unread': {
      says: '{why}',
      advice: '请对照游戏检查 zones.database_url、database_name、table 与 columns；只需要 SELECT 权限。',
    },
    'role.found': { says: '{name}，余额 {balance}' },
    'role.missing': { says: '没有角色 {role}', advice: '请用编号或完整名称指定本区服的一个角色。' },
    'role.unread': { says: '未检测：游戏数据库无法读取', advice: '请先处理“游戏数据库可以读取”一项。' },
    'role.not_named': { says: '未检测：没有指定角色', advice: '在游戏中建一个自己的角色，用 --role 指定。' },
    'gm.no_url': { says: '本区服没有 gm_url', advice: 'gatehouse zone set {server_id} --gm-url URL' },
    'gm.answers': { says: '有应答，并提供回执' },
    'gm.no_receipts': {
      says: '只有扣款才能看出；可用 --role 和 --amount 1 检测',
      advice: '提供回执的游戏（gm.receipt_operation）无需动用任何货币即可询问。',
    },
    'gm.receipt_of_nothing': {
      says: '为从未有过的订单出具了回执',
      advice: '没有执行过的订单请答 "executed": false。',
    },
    'gm.not_sent': {
      says: '无法连接：{why}',
      advice: 'gm_url 的地址是否正确，游戏是否在运行，防火墙是否放行？',
    },
    'gm.no_answer': {
      says: '{timeout} 秒内没有应答{order}',
      advice:
        '请在 gm.timeout 之内应答。现在无人知道是否已经执行：这样的提现会记为“待核实”，且绝不重发。请在游戏中查找该订单。',
    },
    'gm.cut': {
      says: '应答未完，连接已断：{why}{order}',
      advice:
        '请发完整个应答再关闭连接，Content-Length 须正确。现在无人知道是否已经执行：请在游戏中查找该订单。',
    },
    'gm.too_long': {
      says: '应答过长（{why}）{order}',
      advice: '请只答一个简短的 JSON 对象；超过 64 KiB 不再读取。',
    },
    'gm.redirect': {
      says: 'HTTP {status}，重定向{order}',
      advice: '请在 gm_url 本身应答。命令不可发送两次，因此从不跟随重定向。',
    },
    'gm.http_error': {
      says: 'HTTP {status}{order}',
      advice: '请以 HTTP 200 和结果码应答，拒绝时也是。其他状态码都说明不了是否已经执行。',
    },
    'gm.unreadable': {
      says: '应答无法识别（{why}）{order}',
      advice: '请只答一个 JSON 对象，其中 "result" 或 "code"（gm.success）为数字：0 为已扣，其他为未扣。',
    },
    'gm.receipt_unreadable': {
      says: '不是回执（{why}）',
      advice:
        '回执请答 {"result": 0, "order": 所问的订单, "executed": true 或 false, "amount": 该订单总共扣除的数额}。若此处被拒绝，多半是操作号（gm.receipt_operation）、密钥（gm.key）或参数名（gm.params）与游戏不一致。',
    },
    'gm.failed_before': { says: '未检测：GM 接口应答不正常', advice: '请先处理“GM 接口有应答”一项。' },
    'sign.checked': { says: '签名错误的命令被拒绝' },
    'sign.ignored': {
      says: '签名错误的命令被当作正确的来应答',
      advice: '执行任何命令之前都要核对签名：否则能连上该端口的人都能扣款。',
    },
    'sign.no_key': {
      says: '未检测：未设置 gm.key',
      advice: '除非别人无法访问 GM 端口，否则请设置 gm.key，并在游戏中核对签名。',
    },
    'sign.untold': {
      says: '未检测：只有提供回执的游戏才能在不动用货币的情况下询问',
      advice: '请提供回执（gm.receipt_operation）。',
    },
    'deduction.not_asked': {
      says: '未检测',
      advice: '请写明 --role 和 --amount：会真的从该角色扣除这么多。',
    },
    'deduction.beyond': {
      says: '未检测：若游戏在此处有错，会扣得比 --amount 多',
      advice: '请再加 --full，并使用一个可以失去全部货币的角色。',
    },
    'deduction.no_role': { says: '没有可扣款的角色', advice: '用 --role 指定一个存在的角色。' },
    'deduction.open': {
      says: '未检测：扣款未得到确认，不再发送任何命令',
      advice: '请先处理“扣款成功并得到确认”一项。',
    },
    'deduction.done': { says: '成功：{why}；订单 {order}' },
    'deduction.refused': {
      says: '被拒绝：{why}；订单 {order}',
      advice: '游戏上次保存时该角色有 {balance}。余额是否足够？游戏是否认得这个编号和名称？',
    },
    'refusal.refused': { says: '已拒绝：{why}' },
    'refusal.unknown_role_taken': {
      says: '对并不存在的角色 {role} 确认了扣款；订单 {order}',
      advice: '请按 roleid 查找角色，找不到时以非 0 的结果拒绝。',
    },
    'refusal.too_much_taken': {
      says: '余额 {balance}，却确认扣除 {amount}；订单 {order}',
      advice: '扣款前须核对实时余额，且与扣款在同一步内完成。请退还该订单所扣的数额。',
    },
    'receipt.right': { says: '已执行，{amount}' },
    'receipt.nothing': { says: '未执行' },
    'receipt.none': {
      says: '未检测：未设置 gm.receipt_operation',
      advice:
        '有回执，Gatehouse 会自行澄清“待核实”的提现；没有则要靠人工。见 docs/zh-CN/game-servers.md 的“回执”一节。',
    },
    'receipt.wrong': {
      says: '回执为 {said}，而命令的应答为 {expected}；订单 {order}',
      advice: '请在扣款的同一步内保存订单，并据此应答。',
    },
    'balance.saved': { says: '{balance}' },
    'balance.waiting': {
      says: '尚未保存，请在 {seconds} 秒后再看',
      advice: '游戏会延迟保存。zones.save_interval 不可短于实际的间隔。',
    },
    'same.once': { says: '只扣了一次；订单 {order}' },
    'same.twice': {
      says: '扣了两次；订单 {order}',
      advice: '请在扣款时把订单一并写入磁盘，遇到已知的订单返回第一次的应答。请退还 {amount}。',
    },
    'same.untold': {
      says: '再次得到确认，但看不出是否又扣了一次；订单 {order}',
      advice: '请提供回执，或在应答中以 "balance" 给出余额。请在游戏中查找该订单。',
    },
    'time.good': { says: '最慢 {slowest} 毫秒，时限 {timeout} 秒' },
    'time.slow': {
      says: '最慢 {slowest} 毫秒，超过时限 {timeout} 秒的一半',
      advice: '请不要在游戏主循环里应答 GM 命令，或调高 gm.timeout。应答太迟会使提现变成“待核实”。',
    },
    'time.none': { says: '未检测：没有量到任何应答' },
  },
  report: {
    title: '对接检测报告',
    zone: '区服 {server_id}',
    passed: '通过',
    failed: '待改',
    skipped: '未检测',
    stamp: { good: '通过', bad: '待改' },
    good: '检测过的各项全部符合要求。',
    bad: '请依次处理以下各项：',
    incomplete: '并非各项都已检测，见标有短横的各行。',
    byOperator: '操作员处理',
    byAuthors: '游戏开发者处理',
    todo: '处理办法',
    seen: '检测所见：',
    request: '请求',
    response: '应答',
    made: '由 Gatehouse {version} 于 {time} 生成',
    again: '再次检测：',
    secrets: '令牌、签名和密码均已略去。',
    docs: '双方各需做什么，见 docs/zh-CN/game-servers.md；各项设置见 docs/zh-CN/settings.md。',
  },
};

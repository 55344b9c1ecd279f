/** Texts of the lines of a conformance run. `advice` says what to fix, or how to enable a check. */
export const en = {
  areas: {
    setup: {
      title: 'Configuration of Gatehouse for this zone',
      about: 'These checks do not call the game. The operator fixes the red lines.',
    },
    entry: {
      title: 'Does this token belong to this player?',
      about:
        'A game server calls POST /api/check when a player connects. This run does the same with tokens created for the test.',
    },
    callbacks: {
      title: 'Callbacks of the game server',
      about:
        'Whether bind_account and link admit only the right callers. Tested with GET /api/link for an ID that does not exist, so nothing changes.',
    },
    game: {
      title: 'How the game responds',
      about:
        'The game database and the GM interface. The authors of the game fix the red lines, or they are fixed in the settings gm.* and zones.*.',
    },
  },
  checks: {
    zone: 'The zone accepts players',
    'caller address': 'The game server is recognised by its address',
    service: 'Gatehouse answers',
    'right token': 'A valid token is accepted',
    'wrong token': 'An invalid token is refused',
    'repeated ticket': 'A ticket whose answer was lost can be checked again',
    'used ticket': 'A ticket that someone else has used is refused',
    'foreign ticket': 'A ticket for another zone is refused and stays valid',
    'signed callback': 'A signed callback is accepted',
    'unsigned callback': 'A callback without a signature is refused if a key is set',
    'replayed callback': 'A signature works only once',
    'late callback': 'An old signature is refused',
    'game database': 'The game database can be read',
    role: 'The test role exists',
    'GM interface': 'The GM interface answers',
    'GM signature': 'The game checks signatures',
    'unknown role': 'A deduction from a role that does not exist is refused',
    deduction: 'A deduction is made and confirmed',
    receipt: 'The receipt is correct',
    balance: 'The balance in the game database changes accordingly',
    'same order': 'The same order sent twice takes the amount once',
    'too much': 'A deduction larger than the balance is refused',
    'answer time': 'Answers arrive in time',
  },
  reasons: {
    'zone.open': { says: '{name}, status {status}' },
    'zone.merged': {
      says: 'merged into zone {into}',
      advice: 'Players and withdrawals of this zone are now in zone {into}: test that one.',
    },
    'caller.recognised': { says: 'Gatehouse recognises {address} as a game server' },
    'caller.unlisted': {
      says: '{address} is a host name, and none of its addresses ({found}) is recognised as a game server',
      advice:
        'Add the address from which the game server calls to game_servers.ip, or set the zone’s address to it instead of the name.',
    },
    'service.answers': { says: '{url}' },
    'service.unknown': {
      says: 'not tried: no Gatehouse at {url}',
      advice: 'Start the service, or give its URL with --url.',
    },
    'service.away': {
      says: 'Gatehouse does not answer at {url}: {why}',
      advice: 'Start the service, or correct --url.',
    },
    'entry.not_asked': {
      says: 'not tried: Gatehouse does not answer',
      advice: 'See the line “Gatehouse answers”.',
    },
    'entry.no_account': {
      says: 'not tried: no account to create a token for',
      advice: 'Name one of your accounts with --account. The account is not changed.',
    },
    'entry.unknown_account': {
      says: 'there is no account {account}',
      advice: 'Name an existing account with --account.',
    },
    'entry.no_hash': {
      says: 'not tried: {account} has no password and therefore no md5 token',
      advice: 'Name an account that has a password with --account.',
    },
    'entry.taken': { says: '200, format {format}' },
    'entry.right_refused': {
      says: 'answered {answer}',
      advice:
        'A game server would reject this player. Check whether the account is banned, and whether {url} uses these settings and this database.',
    },
    'entry.refused': { says: '401 invalid_token' },
    'entry.wrong_taken': {
      says: 'answered {answer} instead of 401 invalid_token',
      advice:
        'Do not admit a player on such an answer. Check whether {url} uses these settings and whether all its instances run one version.',
    },
    'entry.no_tickets': {
      says: 'not tried: auth.game_token is "{kind}"',
      advice:
        'Tickets are the safest kind: they work once, for one zone. See “Tickets” in docs/game-servers.md.',
    },
    'entry.spent': {
      says: 'refused for its own zone after another zone had checked it: {answer}',
      advice: 'Check whether {url} uses these settings and whether all its instances run one version.',
    },
    'callback.admitted': { says: 'accepted' },
    'callback.by_address': { says: 'accepted: no game_servers.key is set, so only the address is checked' },
    'callback.refused': { says: '403 caller_not_allowed' },
    'callback.no_key': {
      says: 'not tried: no game_servers.key is set',
      advice: 'Set game_servers.key and have the game sign its callbacks. Start with signature = "observe".',
    },
    'callback.observed': {
      says: 'not tried: signatures are only observed, not enforced',
      advice: 'See the line about callbacks without a signature.',
    },
    'callback.kept_out': {
      says: 'answered {answer}',
      advice:
        'Run this on the machine of Gatehouse or of the game server, directly against the service and not through a proxy. The key must be that of the service, and the clocks must differ by less than 300 s.',
    },
    'callback.let_in': {
      says: 'answered {answer} instead of 403 caller_not_allowed',
      advice: 'Set game_servers.signature = "enforce" once every game server signs, and restart the service.',
    },
    'database.read': { says: 'the table and its columns exist' },
    'database.unread': {
      says: '{why}',
      advice:
        'Compare zones.database_url, database_name, table and columns with the game. SELECT is the only privilege it needs.',
    },
    'role.found': { says: '{name}, balance {balance}' },
    'role.missing': {
      says: 'no role {role}',
      advice: 'Name a role of this zone by its ID or its exact name.',
    },
    'role.unread': {
      says: 'not tried: the game database cannot be read',
      advice: 'Fix the line “The game database can be read” first.',
    },
    'role.not_named': {
      says: 'not tried: no role was named',
      advice: 'Create a role in the game and name it with --role.',
    },
    'gm.no_url': { says: 'the zone has no gm_url', advice: 'gatehouse zone set {server_id} --gm-url URL' },
    'gm.answers': { says: 'answers and gives receipts' },
    'gm.no_receipts': {
      says: 'only a deduction can test this; try --role and --amount 1',
      advice: 'A game that gives receipts (gm.receipt_operation) can be tested without moving currency.',
    },
    'gm.receipt_of_nothing': {
      says: 'gives a receipt for an order that does not exist',
      advice: 'Answer "executed": false for an order that was not executed.',
    },
    'gm.not_sent': {
      says: 'could not be reached: {why}',
      advice: 'Check whether the address in gm_url is correct, the game is running and the firewall is open.',
    },
    'gm.no_answer': {
      says: 'no answer within {timeout} s{order}',
      advice:
        'Answer within gm.timeout. It is unknown whether the command was executed: Gatehouse records such a withdrawal as unknown and never sends it again. Look up the order in the game.',
    },
    'gm.cut': {
      says: 'the connection broke before the answer was complete: {why}{order}',
      advice:
        'Send the whole answer with a correct Content-Length before you close the connection. It is unknown whether the command was executed: look up the order in the game.',
    },
    'gm.too_long': {
      says: '{why}{order}',
      advice: 'Answer with one short JSON object; at most 64 KiB are read.',
    },
    'gm.redirect': {
      says: 'HTTP {status}, a redirect{order}',
      advice:
        'Answer at gm_url itself. Redirects are not followed, because a command must not be sent twice.',
    },
    'gm.http_error': {
      says: 'HTTP {status}{order}',
      advice:
        'Answer HTTP 200 with a result, also for a refusal. With any other status it is unknown whether the command was executed.',
    },
    'gm.unreadable': {
      says: '{why}{order}',
      advice:
        'Answer with exactly one JSON object that has a number as "result" or "code" (gm.success): 0 if the amount was taken, anything else if it was not.',
    },
    'gm.receipt_unreadable': {
      says: '{why}',
      advice:
        'Answer the receipt operation with {"result": 0, "order": the order asked for, "executed": true or false, "amount": the total amount taken}. A refusal here often means that the operation ID (gm.receipt_operation), key (gm.key) or a parameter name (gm.params) differs from the game’s.',
    },
    'gm.failed_before': {
      says: 'not tried: the GM interface does not answer correctly',
      advice: 'Fix the line “The GM interface answers” first.',
    },
    'sign.checked': { says: 'a command with a wrong signature is refused' },
    'sign.ignored': {
      says: 'a command with a wrong signature was accepted',
      advice:
        'Check the signature of every command before you execute it: otherwise anyone who reaches the port can take currency.',
    },
    'sign.no_key': {
      says: 'not tried: no gm.key is set',
      advice: 'Set gm.key and check the signature in the game, unless nobody else can reach the GM port.',
    },
    'sign.untold': {
      says: 'not tried: only a game that gives receipts can be tested without moving currency',
      advice: 'Offer receipts (gm.receipt_operation).',
    },
    'deduction.not_asked': {
      says: 'not tried',
      advice: 'Set --role and --amount; the amount is really taken from the role.',
    },
    'deduction.beyond': {
      says: 'not tried: a faulty game would take more than --amount',
      advice: 'Add --full, with a role that may lose its whole balance.',
    },
    'deduction.no_role': { says: 'no role to take it from', advice: 'Name an existing role with --role.' },
    'deduction.open': {
      says: 'not tried: no further command is sent until the deduction is confirmed',
      advice: 'Fix the line “A deduction is made and confirmed” first.',
    },
    'deduction.done': { says: 'done: {why}; order {order}' },
    'deduction.refused': {
      says: 'refused: {why}; order {order}',
      advice:
        'The last saved balance of the role is {balance}. Check whether it is enough, and whether the game knows the role by this ID and name.',
    },
    'refusal.refused': { says: 'refused: {why}' },
    'refusal.unknown_role_taken': {
      says: 'confirmed for role {role}, which does not exist; order {order}',
      advice: 'Look up the role by roleid, and answer with a result other than 0 if it does not exist.',
    },
    'refusal.too_much_taken': {
      says: 'confirmed {amount}, of {balance}; order {order}',
      advice: 'Check the live balance and deduct in one step. Give back the amount taken under this order.',
    },
    'receipt.right': { says: 'executed, {amount}' },
    'receipt.nothing': { says: 'not executed' },
    'receipt.none': {
      says: 'not tried: gm.receipt_operation is not set',
      advice:
        'With receipts Gatehouse settles unknown withdrawals automatically; without them an operator has to. See “Receipts” in docs/game-servers.md.',
    },
    'receipt.wrong': {
      says: 'the receipt says {said}; the answer to the command said {expected}; order {order}',
      advice: 'Store the order together with the deduction in one step, and answer from there.',
    },
    'balance.saved': { says: '{balance}' },
    'balance.waiting': {
      says: 'not saved yet; check again in {seconds} s',
      advice: 'Games save with a delay. zones.save_interval must not be shorter than this delay.',
    },
    'same.once': { says: 'taken once; order {order}' },
    'same.twice': {
      says: 'taken twice; order {order}',
      advice:
        'Store the order on disk together with the deduction, and repeat the first answer for a known order. Give {amount} back.',
    },
    'same.untold': {
      says: 'confirmed again; it is unknown whether the amount was taken again; order {order}',
      advice:
        'Offer receipts, or add the remaining balance to the answer as "balance". Look up the order in the game.',
    },
    'time.good': { says: 'the slowest answer took {slowest} ms of the {timeout} s allowed' },
    'time.slow': {
      says: 'the slowest answer took {slowest} ms, more than half of the {timeout} s allowed',
      advice:
        'Answer GM commands outside the game loop, or raise gm.timeout. A late answer makes a withdrawal unknown.',
    },
    'time.none': { says: 'not tried: no answer was measured' },
  },
  report: {
    title: 'Conformance report',
    zone: 'Zone {server_id}',
    passed: 'passed',
    failed: 'to fix',
    skipped: 'not tried',
    stamp: { good: 'PASSED', bad: 'TO FIX' },
    good: 'All checks that were run passed.',
    bad: 'Fix these, in this order:',
    incomplete: 'Some checks were not run: see the lines marked with a dash.',
    byOperator: 'for the operator',
    byAuthors: 'for the authors of the game',
    todo: 'What to do',
    seen: 'Observed: ',
    request: 'request',
    response: 'response',
    made: 'Created by Gatehouse {version} on {time}',
    again: 'Run it again: ',
    secrets: 'Tokens, signatures and passwords are omitted.',
    docs: 'See docs/game-servers.md for the duties of each side and docs/settings.md for the settings.',
  },
} as const;

export type Area = keyof typeof en.areas;
export type Check = keyof typeof en.checks;
export type Reason = keyof typeof en.reasons;
export type Texts = {
  readonly areas: Readonly<Record<Area, { readonly title: string; readonly about: string }>>;
  readonly checks: Readonly<Record<Check, string>>;
  readonly reasons: Readonly<Record<Reason, { readonly says: string; readonly advice?: string }>>;
  readonly report: Readonly<Record<Exclude<keyof typeof en.report, 'stamp'>, string>> & {
    readonly stamp: { readonly good: string; readonly bad: string };
  };
};

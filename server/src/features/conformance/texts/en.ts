/** Texts of the lines of a conformance run. `advice` says what to fix, or how to enable a check. */
export const en = {
  areas: {
    setup: {
      title: 'How Gatehouse is set up for this zone',
      about: 'Nothing here asks the game. What is red is mended by the operator.',
    },
    entry: {
      title: 'Does this token belong to this player?',
      about:
        'What a game server asks when a player comes: POST /api/check. This run asks in its place, with tokens made for the purpose.',
    },
    callbacks: {
      title: 'Callbacks of the game server',
      about:
        'Whether bind_account and link let the right callers in. Asked with GET /api/link for an id nobody has: nothing is changed.',
    },
    game: {
      title: 'What the game does when it is asked',
      about:
        'The game database and the GM interface. What is red is mended by the authors of the game, or in the settings gm.* and zones.*.',
    },
  },
  checks: {
    zone: 'The zone takes players',
    'caller address': 'The game server is recognised by its address',
    service: 'Gatehouse answers',
    'right token': 'A right token is taken',
    'wrong token': 'A wrong token is refused',
    'repeated ticket': 'A ticket whose answer was lost may be asked for again',
    'used ticket': 'A ticket that somebody else has used is refused',
    'foreign ticket': 'A ticket for another zone is refused, and stays good',
    'signed callback': 'A signed callback is let in',
    'unsigned callback': 'A callback without a signature is refused where a key is set',
    'replayed callback': 'A signature is good once',
    'late callback': 'An old signature is refused',
    'game database': 'The game database can be read',
    role: 'The test role is there',
    'GM interface': 'The GM interface answers',
    'GM signature': 'The game checks signatures',
    'unknown role': 'A deduction from nobody is refused',
    deduction: 'A deduction is made and confirmed',
    receipt: 'The receipt of it is right',
    balance: 'The balance in the game database follows',
    'same order': 'The same order twice takes the amount once',
    'too much': 'More than the role has is refused',
    'answer time': 'Answers come in good time',
  },
  reasons: {
    'zone.open': { says: '{name}, status {status}' },
    'zone.merged': {
      says: 'merged into zone {into}',
      advice: 'Players and withdrawals of this zone are on zone {into} now: test that one.',
    },
    'caller.recognised': { says: '{address} is a game server to Gatehouse' },
    'caller.unlisted': {
      says: '{address} is a name, and none of its addresses ({found}) is known as a game server’s',
      advice:
        'Write the address that the game server calls from into game_servers.ip, or give the zone its address instead of the name.',
    },
    'service.answers': { says: '{url}' },
    'service.unknown': {
      says: 'not tried: no Gatehouse at {url}',
      advice: 'Start the service, or say where it is with --url.',
    },
    'service.away': {
      says: 'nothing answers as Gatehouse at {url}: {why}',
      advice: 'Start the service, or correct --url.',
    },
    'entry.not_asked': {
      says: 'not tried: Gatehouse does not answer',
      advice: 'See the line “Gatehouse answers”.',
    },
    'entry.no_account': {
      says: 'not tried: no account to make a token for',
      advice: 'Name an account of yours with --account. Nothing of it is changed.',
    },
    'entry.unknown_account': {
      says: 'there is no account {account}',
      advice: 'Name an account that exists with --account.',
    },
    'entry.no_hash': {
      says: 'not tried: {account} has no password, and so no md5 token',
      advice: 'Name an account that has a password with --account.',
    },
    'entry.taken': { says: '200, format {format}' },
    'entry.right_refused': {
      says: 'answered {answer}',
      advice:
        'A game server would keep this player out. Is the account banned, and is {url} the service of these settings and this database?',
    },
    'entry.refused': { says: '401 invalid_token' },
    'entry.wrong_taken': {
      says: 'answered {answer} instead of 401 invalid_token',
      advice: 'Let nobody in on such an answer. Is {url} the service of these settings, and of one version?',
    },
    'entry.no_tickets': {
      says: 'not tried: auth.game_token is "{kind}"',
      advice: 'Tickets are the safest kind: good once, for one zone. See “Tickets” in docs/game-servers.md.',
    },
    'entry.spent': {
      says: 'refused for its own zone after another one had asked: {answer}',
      advice: 'Is {url} the service of these settings, and of one version?',
    },
    'callback.admitted': { says: 'let in' },
    'callback.by_address': {
      says: 'let in: no game_servers.key is set, so the address alone decides',
    },
    'callback.refused': { says: '403 caller_not_allowed' },
    'callback.no_key': {
      says: 'not tried: no game_servers.key is set',
      advice:
        'Set game_servers.key and have the game sign its callbacks, with signature = "observe" at first.',
    },
    'callback.observed': {
      says: 'not tried: signatures are only observed, not enforced',
      advice: 'See the line about callbacks without a signature.',
    },
    'callback.kept_out': {
      says: 'answered {answer}',
      advice:
        'Run this on the machine of Gatehouse or of the game server, straight to the service and not through a proxy; the key must be that of the service, and the clocks less than 300 s apart.',
    },
    'callback.let_in': {
      says: 'answered {answer} instead of 403 caller_not_allowed',
      advice:
        'Write game_servers.signature = "enforce" once every game server signs, and restart the service.',
    },
    'database.read': { says: 'table and columns are there' },
    'database.unread': {
      says: '{why}',
      advice:
        'Compare zones.database_url, database_name, table and columns with the game; SELECT is all it needs.',
    },
    'role.found': { says: '{name}, balance {balance}' },
    'role.missing': {
      says: 'no role {role}',
      advice: 'Name one role of this zone, by its id or its exact name.',
    },
    'role.unread': {
      says: 'not tried: the game database cannot be read',
      advice: 'Mend the line “The game database can be read” first.',
    },
    'role.not_named': {
      says: 'not tried: no role was named',
      advice: 'Make a role of your own in the game and name it with --role.',
    },
    'gm.no_url': { says: 'the zone has no gm_url', advice: 'gatehouse zone set {server_id} --gm-url URL' },
    'gm.answers': { says: 'answers, and gives receipts' },
    'gm.no_receipts': {
      says: 'only a deduction would show it; try --role and --amount 1',
      advice: 'A game that gives receipts (gm.receipt_operation) can be asked without moving anything.',
    },
    'gm.receipt_of_nothing': {
      says: 'gives a receipt for an order that never was',
      advice: 'Answer "executed": false for an order you have not carried out.',
    },
    'gm.not_sent': {
      says: 'could not be reached: {why}',
      advice: 'Is the address in gm_url right, the game running, and the way through the firewall open?',
    },
    'gm.no_answer': {
      says: 'no answer within {timeout} s{order}',
      advice:
        'Answer within gm.timeout. Nobody knows now whether it was carried out: Gatehouse keeps such a withdrawal as unknown and never sends it again. Look for the order in the game.',
    },
    'gm.cut': {
      says: 'the connection broke before the answer was whole: {why}{order}',
      advice:
        'Send the whole answer before you close the connection, with a right Content-Length. Nobody knows now whether it was carried out: look for the order in the game.',
    },
    'gm.too_long': {
      says: '{why}{order}',
      advice: 'Answer with one short JSON object; more than 64 KiB is not read.',
    },
    'gm.redirect': {
      says: 'HTTP {status}, a redirect{order}',
      advice:
        'Answer at gm_url itself. Redirects are never followed, since a command must not be sent twice.',
    },
    'gm.http_error': {
      says: 'HTTP {status}{order}',
      advice:
        'Answer HTTP 200 with a result, also for a refusal. Any other status leaves open whether it was carried out.',
    },
    'gm.unreadable': {
      says: '{why}{order}',
      advice:
        'Answer with exactly one JSON object that has a number as "result" or "code" (gm.success): 0 taken, anything else not taken.',
    },
    'gm.receipt_unreadable': {
      says: '{why}',
      advice:
        'Answer the receipt operation with {"result": 0, "order": the order asked for, "executed": true or false, "amount": all that was taken}. A refusal here often means another operation id (gm.receipt_operation), key (gm.key) or parameter name (gm.params) than the game’s.',
    },
    'gm.failed_before': {
      says: 'not tried: the GM interface does not answer as it should',
      advice: 'Mend the line “The GM interface answers” first.',
    },
    'sign.checked': { says: 'a command with a wrong signature is refused' },
    'sign.ignored': {
      says: 'a command with a wrong signature was answered as if it were right',
      advice:
        'Compare the signature of every command before you carry it out: whoever reaches the port could take currency.',
    },
    'sign.no_key': {
      says: 'not tried: no gm.key is set',
      advice: 'Set gm.key, and check the signature in the game, unless nobody else can reach the GM port.',
    },
    'sign.untold': {
      says: 'not tried: only a game that gives receipts can be asked without moving anything',
      advice: 'Offer receipts (gm.receipt_operation).',
    },
    'deduction.not_asked': {
      says: 'not tried',
      advice: 'Say --role and --amount: that much is really taken from the role.',
    },
    'deduction.beyond': {
      says: 'not tried: a game that is wrong here takes more than --amount',
      advice: 'Say --full as well, with a role that may lose what it has.',
    },
    'deduction.no_role': {
      says: 'no role to take it from',
      advice: 'Name a role that is there with --role.',
    },
    'deduction.open': {
      says: 'not tried: nothing more is sent while the deduction is not confirmed',
      advice: 'Mend the line “A deduction is made and confirmed” first.',
    },
    'deduction.done': { says: 'done: {why}; order {order}' },
    'deduction.refused': {
      says: 'refused: {why}; order {order}',
      advice:
        'The role has {balance} as the game last saved it. Is it enough, and does the game know the role by this id and name?',
    },
    'refusal.refused': { says: 'refused: {why}' },
    'refusal.unknown_role_taken': {
      says: 'confirmed for role {role}, which is not there; order {order}',
      advice: 'Look the role up by roleid, and refuse with another result than 0 when there is none.',
    },
    'refusal.too_much_taken': {
      says: 'confirmed {amount}, of {balance}; order {order}',
      advice:
        'Compare the live balance before you take anything, in one step with the deduction. Give back what was taken under this order.',
    },
    'receipt.right': { says: 'executed, {amount}' },
    'receipt.nothing': { says: 'not executed' },
    'receipt.none': {
      says: 'not tried: gm.receipt_operation is not set',
      advice:
        'With receipts Gatehouse clears up unknown withdrawals by itself; without, people have to. See “Receipts” in docs/game-servers.md.',
    },
    'receipt.wrong': {
      says: 'says {said}; the answer to the command said {expected}; order {order}',
      advice: 'Keep the order with the deduction, in one step, and answer from there.',
    },
    'balance.saved': { says: '{balance}' },
    'balance.waiting': {
      says: 'not saved yet; look again in {seconds} s',
      advice: 'Games save lazily. zones.save_interval must not be shorter than it takes.',
    },
    'same.once': { says: 'taken once; order {order}' },
    'same.twice': {
      says: 'taken twice; order {order}',
      advice:
        'Remember the order with the deduction, on disk, and answer a known one with its first answer. Give {amount} back.',
    },
    'same.untold': {
      says: 'confirmed again, and nothing tells whether it was taken again; order {order}',
      advice:
        'Offer receipts, or add the balance that is left to the answer as "balance". Look for the order in the game.',
    },
    'time.good': { says: 'the slowest took {slowest} ms, of {timeout} s' },
    'time.slow': {
      says: 'the slowest took {slowest} ms, more than half of the {timeout} s there are',
      advice:
        'Answer GM commands apart from the game’s own loop, or raise gm.timeout. An answer that comes too late makes a withdrawal unknown.',
    },
    'time.none': { says: 'not tried: no answer was measured' },
  },
  report: {
    title: 'Conformance report',
    zone: 'Zone {server_id}',
    passed: 'passed',
    failed: 'to mend',
    skipped: 'not tried',
    stamp: { good: 'PASSED', bad: 'TO MEND' },
    good: 'Everything that was tried is as it should be.',
    bad: 'This is to be mended, in this order:',
    incomplete: 'Not everything was tried: see the lines marked with a dash.',
    byOperator: 'for the operator',
    byAuthors: 'for the authors of the game',
    todo: 'What to do',
    seen: 'What was seen: ',
    request: 'request',
    response: 'response',
    made: 'Made by Gatehouse {version} on {time}',
    again: 'Run it again: ',
    secrets: 'Tokens, signatures and passwords are left out.',
    docs: 'What each side has to do stands in docs/game-servers.md, the settings in docs/settings.md.',
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

import type { WireAnswer } from './answers.ts';

export interface KnownPlayer {
  readonly account: string;
  readonly password: string;
  /** The md5 token of old game clients. */
  readonly hash: string;
  readonly connectId: string;
  /** Session token. */
  readonly token: string;
}

/** A request, and a check that recognises only its own answer. */
export interface MixedRequest {
  readonly bytes: string;
  /** Returns the fault of an answer, or undefined if the answer belongs to this request. */
  judge(answer: WireAnswer): string | undefined;
}

interface Parts {
  readonly random: () => number;
  readonly players: readonly KnownPlayer[];
  readonly zones: readonly number[];
}

/** Generates requests of many kinds whose answers cannot be confused: each names what was requested. */
export function mixedRequests({ random, players, zones }: Parts): () => MixedRequest {
  const below = (count: number) => Math.floor(random() * count);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  let serial = 0;

  const kinds: readonly (() => MixedRequest)[] = [
    () => {
      const { account, password } = pick(players);
      return post('/api/login', { account, password }, says(200, { account }));
    },
    () => {
      const { account, hash } = pick(players);
      return post('/api/check', { account, token: hash }, says(200, { account, format: 'legacy' }));
    },
    () => {
      const { account, token } = pick(players);
      return post('/api/check', { account, token }, says(200, { account, format: 'jwt' }));
    },
    () => {
      const { account } = pick(players);
      const other = { account, token: 'f'.repeat(32) };
      return post('/api/check', other, says(401, { code: 'invalid_token' }));
    },
    () => {
      const { connectId, token } = pick(players);
      const expected = says(200, {}, (body) => body.bindings?.[0]?.connect_id === connectId);
      return get('/api/bind', expected, `Authorization: Bearer ${token}\r\n`);
    },
    () => {
      const { connectId, account } = pick(players);
      return get(`/api/link?connect_id=${connectId}`, says(200, { account }));
    },
    () => {
      const { account, token } = pick(players);
      const server_id = pick(zones);
      const expected = says(200, { account }, (body) => body.server?.server_id === server_id);
      return post('/api/enter_game', { server_id }, expected, `Authorization: Bearer ${token}\r\n`);
    },
    () => {
      const records = Array.from({ length: 1 + below(40) }, () => ({
        server_id: pick(zones),
        role: 'somebody',
        content: 'x'.repeat(1 + below(60)),
      }));
      return post('/api/report/chat', { records }, says(200, { accepted: records.length }));
    },
    () => {
      // The refusal names the unknown field.
      const field = `unknown_${++serial}`;
      const expected = says(400, {}, (body) => JSON.stringify(body.errors).includes(`"${field}"`));
      return post('/api/login', { account: 'a', password: 'b', [field]: 1 }, expected);
    },
    () =>
      get(
        '/api/server/list',
        says(200, {}, (body) => body.servers?.length === zones.length),
      ),
    () =>
      get(
        '/api/config',
        says(200, {}, (body) => body.game !== undefined),
      ),
    () => get(`/api/nothing/${++serial}`, says(404, { code: 'not_found' })),
    () => ({
      bytes: `DELETE /api/login HTTP/1.1\r\nHost: x\r\n\r\n`,
      judge: says(405, { code: 'method_not_allowed' }),
    }),
    () => get('/api/bind', says(401, { code: 'invalid_token' })),
    () => get('/callback.php', says(410, { code: 'gone' })),
  ];
  return () => pick(kinds)();
}

type Body = Record<string, unknown> & {
  bindings?: { connect_id: string }[];
  server?: { server_id: number };
  servers?: unknown[];
};

function says(
  status: number,
  fields: Record<string, unknown>,
  further: (body: Body) => boolean = () => true,
): MixedRequest['judge'] {
  return (answer) => {
    const wanted = `${status} ${JSON.stringify(fields)}`;
    const got = `${answer.status} ${answer.body.slice(0, 300)}`;
    if (answer.status !== status) return `wanted ${wanted}, got ${got}`;
    const body = JSON.parse(answer.body) as Body;
    const fits = Object.entries(fields).every(([name, value]) => body[name] === value) && further(body);
    return fits ? undefined : `wanted ${wanted}, got ${got}`;
  };
}

function get(path: string, judge: MixedRequest['judge'], headers = ''): MixedRequest {
  return { bytes: `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`, judge };
}

function post(path: string, body: unknown, judge: MixedRequest['judge'], headers = ''): MixedRequest {
  const json = JSON.stringify(body);
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}`;
  return { bytes: `${head}\r\n\r\n${json}`, judge };
}

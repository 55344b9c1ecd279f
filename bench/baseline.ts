import { hash } from 'node:crypto';
import { createSigner, createVerifier } from 'fast-jwt';
import Fastify from 'fastify';
import { openBaselineStore } from './src/baseline-store.ts';
import { JWT_SECRET, PASSWORD_KEY } from './src/test-data.ts';

/**
 * The baseline: the shortest program that does the same work on the same tables. No deny list, no throttle, no validation, no
 * log, no metrics. Arguments: port, database URL (sqlite:, mysql: or mariadb:), constant body.
 */
const [port = '', url = '', list = ''] = process.argv.slice(2);
const store = openBaselineStore(url);
const sign = createSigner({ key: JWT_SECRET, algorithm: 'HS256' });
const verify = createVerifier({ key: JWT_SECRET, algorithms: ['HS256'], cache: 10_000 });
const body = Buffer.from(list);
const LIFETIME_S = 24 * 3600;

interface Claims {
  sub: string;
  ver: number;
}
type Fields = Record<string, string>;

const app = Fastify();
const claimsOf = (headers: { authorization?: string | undefined }): Claims =>
  verify((headers.authorization ?? '').slice('Bearer '.length));

app.get('/api/server/list', (_request, reply) => reply.type('application/json; charset=utf-8').send(body));

app.post('/api/login', async (request, reply) => {
  const { account = '', password = '' } = request.body as Fields;
  const player = await store.byAccount(account);
  if (player?.password_hash !== hash('md5', password + PASSWORD_KEY))
    return reply.code(401).send({ code: 'invalid_credentials' });
  const iat = Math.floor(Date.now() / 1000);
  const exp = iat + LIFETIME_S;
  const token = sign({ sub: String(player.id), account, ver: player.token_version, iat, exp });
  return { token, account: player.account, expires_at: new Date(exp * 1000) };
});

app.post('/api/check', async (request, reply) => {
  const { account = '', token = '' } = request.body as Fields;
  const player = await store.byAccount(account);
  const right = token.includes('.')
    ? (verify(token) as Claims).sub === String(player?.id)
    : token === player?.password_hash;
  if (!player || !right) return reply.code(401).send({ code: 'invalid_token' });
  return { valid: true, account: player.account, player_id: player.id };
});

app.get('/api/bind', async (request, reply) => {
  const { sub, ver } = claimsOf(request.headers);
  const player = await store.byId(Number(sub));
  if (player?.token_version !== ver) return reply.code(401).send({ code: 'invalid_token' });
  return { bindings: await store.bindings(player.id) };
});

app.post('/api/enter_game', async (request) => {
  const { sub } = claimsOf(request.headers);
  const { server_id } = request.body as { server_id: number };
  await store.enter(Number(sub), server_id, request.ip);
  return { server: { server_id } };
});

app.post('/api/register', async (request, reply) => {
  const { account = '', password = '', email = '' } = request.body as Fields;
  const added = await store.register(account, hash('md5', password + PASSWORD_KEY), email);
  if (!added) return reply.code(422).send({ code: 'invalid_code' });
  return reply.code(201).send({ token: sign({ account, exp: Math.floor(Date.now() / 1000) + LIFETIME_S }) });
});

app.post('/api/report/chat', async (request) => {
  const { server_id, role, content } = request.body as { server_id: number; role: string; content: string };
  await store.chat(server_id, role, content);
  return { accepted: 1 };
});

await app.listen({ port: Number(port), host: '127.0.0.1' });

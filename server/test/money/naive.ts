import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import { createPool, type RowDataPacket } from 'mysql2/promise';

/** The control: check the balance, call the game, record. It looks right, and the fault run must show that it is not. */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    database: { type: 'string', default: '' },
    games: { type: 'string', default: '' },
    'gm-urls': { type: 'string', default: '{}' },
  },
});
const gmUrls: Record<string, string> = JSON.parse(values['gm-urls']);
const accounts = createPool({ uri: values.database, connectionLimit: 10 });
const games = createPool({ uri: values.games, connectionLimit: 10 });

interface Body {
  readonly server_id: number;
  readonly role: number | string;
  readonly amount: number;
}

async function withdraw(order: string, { server_id, role, amount }: Body): Promise<boolean> {
  const column = typeof role === 'number' ? 'actorid' : 'actorname';
  const [[actor]] = await games.query<RowDataPacket[]>(
    `SELECT actorid, nonbindyuanbao AS balance FROM mir_actor_s${server_id}.actors WHERE ${column} = ?`,
    [role],
  );
  if (!actor || actor.balance < amount) return false;
  const params = new URLSearchParams({
    operid: '10030',
    serverid: String(server_id),
    roleid: String(actor.actorid),
    amount: String(amount),
    order,
  });
  const answer = await fetch(`${gmUrls[server_id]}?${params}`, { signal: AbortSignal.timeout(1000) });
  const { result } = (await answer.json()) as { result: number };
  if (result !== 0) return false;
  await accounts.query('INSERT INTO naive_withdraw (id, amount, state) VALUES (?, ?, ?)', [
    order,
    amount,
    'done',
  ]);
  return true;
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  if (chunks.length === 0) return void response.end('{}');
  const id = String(request.headers['idempotency-key']);
  try {
    const done = await withdraw(id, JSON.parse(Buffer.concat(chunks).toString()));
    response.writeHead(done ? 200 : 422).end(JSON.stringify({ withdraw_id: id, state: 'done' }));
  } catch {
    response.writeHead(500).end('{}');
  }
}

createServer((request, response) => void serve(request, response)).listen(Number(values.port), '127.0.0.1');

import { createHash } from 'node:crypto';
import express, { type RequestHandler } from 'express';
import jwt from 'jsonwebtoken';
import { createPool, type RowDataPacket } from 'mysql2/promise';
import passport from 'passport';
import { Strategy } from 'passport-local';
import { matchesArgon2 } from '../slow-hashes.ts';
import { JWT_SECRET, PASSWORD_KEY } from '../test-data.ts';

/**
 * A typical hand-written login: express, passport-local, jsonwebtoken, mysql2. Arguments: port, database URL, and argon2 for
 * such passwords.
 */
const [port = '', uri = '', kind] = process.argv.slice(2);
const pool = createPool({ uri, connectionLimit: 32 });

async function one(sql: string, value: string | number): Promise<RowDataPacket | undefined> {
  const [rows] = await pool.execute<RowDataPacket[]>(sql, [value]);
  return rows[0];
}

async function isRight(password: string, player: RowDataPacket | undefined): Promise<boolean> {
  if (kind === 'argon2') return matchesArgon2(password, player?.password_argon2 ?? '');
  const hash = createHash('md5')
    .update(password + PASSWORD_KEY)
    .digest('hex');
  return player?.password_hash === hash;
}

passport.use(
  new Strategy({ usernameField: 'account', session: false }, (account, password, done) => {
    one('SELECT * FROM player WHERE account_key = ?', account)
      .then(async (player) => done(null, (await isRight(password, player)) ? player : false))
      .catch(done);
  }),
);

const requireToken: RequestHandler = (request, response, next) => {
  try {
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    response.locals.claims = jwt.verify(token, JWT_SECRET, { algorithms: ['HS256'] });
    next();
  } catch {
    response.status(401).json({ error: 'unauthorized' });
  }
};

const app = express();
app.use(express.json());
app.use(passport.initialize());

app.post('/api/login', passport.authenticate('local', { session: false }), (request, response) => {
  const { id, account } = request.user as RowDataPacket;
  const token = jwt.sign({ account }, JWT_SECRET, { subject: String(id), expiresIn: '24h' });
  response.json({ token, account });
});

app.get('/api/bind', requireToken, async (_request, response) => {
  const id = Number(response.locals.claims.sub);
  const player = await one('SELECT token_version FROM player WHERE id = ?', id);
  if (player?.token_version !== response.locals.claims.ver) return void response.status(401).json({});
  const [bindings] = await pool.execute(
    'SELECT provider, connect_id, created_at FROM player_connect_threeparty WHERE player_id = ?',
    [id],
  );
  response.json({ bindings });
});

app.listen(Number(port), '127.0.0.1');

import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { createPool } from 'mysql2/promise';
import { JWT_SECRET, PASSWORD_KEY } from '../test-data.ts';

/**
 * better-auth with its own rate limit off and the same cheap hash, or with its own hash. Arguments: port, database URL, and
 * scrypt for its own hash.
 */
const [port = '', uri = '', kind] = process.argv.slice(2);
const digest = (password: string) => hash('md5', password + PASSWORD_KEY);

const auth = betterAuth({
  database: createPool({ uri, connectionLimit: 32, timezone: 'Z' }),
  secret: JWT_SECRET,
  baseURL: `http://127.0.0.1:${port}`,
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  emailAndPassword: {
    enabled: true,
    ...(kind !== 'scrypt' && {
      password: {
        hash: async (password: string) => digest(password),
        verify: async ({ hash: stored, password }: { hash: string; password: string }) =>
          stored === digest(password),
      },
    }),
  },
});

const { runMigrations } = await getMigrations(auth.options);
await runMigrations();
createServer(toNodeHandler(auth)).listen(Number(port), '127.0.0.1');

import { openDatabase } from '../../../src/db/open.ts';

/** Writes until killed, and prints each id once the database has confirmed it. */
const db = await openDatabase(process.argv[2] ?? '');
for (let id = 1; ; id++) {
  const agent = { agent_id: id, name: `agent ${id}` };
  if (id % 2 === 0) await db.kysely.insertInto('agent').values(agent).execute();
  else await db.transaction((trx) => trx.insertInto('agent').values(agent).execute());
  process.stdout.write(`${id}\n`);
}

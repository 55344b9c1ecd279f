import { openDatabase } from '../../../src/db/open.ts';

/** Writes until killed, and prints each id once the database has confirmed it. */
const db = await openDatabase(process.argv[2] ?? '');
for (let id = 1; ; id++) {
  const agent = { agent_id: id, name: `agent ${id}` };
  if (id % 2 === 0) await db.kysely.insertInto('agent').values(agent).execute();
  else await db.transaction((trx) => trx.insertInto('agent').values(agent).execute());
  // SQLite never waits, so only this wait lets the event loop send what a slow reader has left in the queue.
  await new Promise((sent) => process.stdout.write(`${id}\n`, sent));
}

import { migrate } from '../../../src/db/migrate.ts';
import { openDatabase } from '../../../src/db/open.ts';

const db = await openDatabase(process.argv[2] ?? '');
console.log(JSON.stringify(await migrate(db)));
await db.close();

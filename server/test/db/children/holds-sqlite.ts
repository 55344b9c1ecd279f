import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';

/** Another program that holds the file's write lock until told to release it. */
const database = new DatabaseSync(process.argv[2] ?? '');
database.exec('BEGIN IMMEDIATE');
console.log('held');
await once(process.stdin, 'data');
database.exec('COMMIT');
console.log('released');
process.exit();

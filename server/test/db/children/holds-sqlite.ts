import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';

/** Another program that keeps the file's write lock until it is told to let go. */
const database = new DatabaseSync(process.argv[2] ?? '');
database.exec('BEGIN IMMEDIATE');
console.log('held');
await once(process.stdin, 'data');
database.exec('COMMIT');
console.log('released');
process.exit();

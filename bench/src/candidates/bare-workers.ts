import cluster from 'node:cluster';
import { join } from 'node:path';

/** Bare node:http in several processes on one port. Arguments: port, number of processes, then those of bare.ts. */
const [port = '', count = '', ...pairs] = process.argv.slice(2);
cluster.setupPrimary({ exec: join(import.meta.dirname, 'bare.ts'), args: [port, ...pairs] });
for (let index = 0; index < Number(count); index++) cluster.fork();

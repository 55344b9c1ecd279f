import { parseArgs } from 'node:util';
import { startMariadb } from '../../../test-support/mariadb.ts';
import { runGuesses } from './guesses-main.ts';
import { runMixed } from './mixed-main.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '820000' },
    guesses: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
  },
});
const seed = Number(values.seed);
const [requests, guesses] = [Number(values.requests), Number(values.guesses)];
const mariadb = await startMariadb();
const unmixed = requests === 0 || (await runMixed(mariadb, requests, seed));
const limited = guesses === 0 || (await runGuesses(guesses, seed));
await mariadb.stop();
process.exit(unmixed && limited ? 0 : 1);

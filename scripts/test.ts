import { parseArgs } from 'node:util';
import { installMissing } from './setup.ts';
import { listTiers } from './test/list.ts';
import { runTier, type Tier } from './test/run-tier.ts';
import { shake } from './test/shake.ts';

const usage = `npm test -- [FILE …]            the first tier, or the test files whose path contains FILE
npm run test:slow -- [FILE …]   the slow tier: fault runs, races, clusters, hundreds of pictures
npm run test:shake -- [FILE …]  the first tier N times under CPU pressure, in random order

  --list          the files of both tiers with their times, and run nothing
  --save-times    keep the time of each file; files start in that order, slowest first
  --times N       shake: how often (10)
  --seed N        shake: the seed of the first order (printed at each run)
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tier: { type: 'string', default: 'first' },
    list: { type: 'boolean', default: false },
    'save-times': { type: 'boolean', default: false },
    shake: { type: 'boolean', default: false },
    times: { type: 'string', default: '10' },
    seed: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const tier: Tier = values.tier === 'slow' ? 'slow' : 'first';

if (values.help) console.log(usage);
else if (values.list) listTiers();
else {
  const without = installMissing(tier);
  process.exitCode = values.shake
    ? await shake({
        times: Number(values.times),
        seed: Number(values.seed ?? Date.now() % 1e6),
        filters: positionals,
        without,
      })
    : await runTier({ tier, filters: positionals, without, saveTimes: values['save-times'] });
}

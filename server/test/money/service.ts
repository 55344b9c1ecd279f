import { parseArgs } from 'node:util';
import { startService } from '../../src/main.ts';
import { loadSettings } from '../../src/settings/load.ts';

// The real service, except that it can be made to die at a named failpoint of a withdrawal or a webhook's delivery.
const { values } = parseArgs({
  options: {
    config: { type: 'string' },
    'die-at': { type: 'string' },
    'die-at-delivery': { type: 'string' },
    /** How often the delivery's failpoint is passed before. */
    after: { type: 'string', default: '0' },
  },
});
let passed = 0;

await startService({
  settings: loadSettings(values.config, {}),
  onFailpoint(failpoint) {
    if (failpoint === values['die-at']) process.kill(process.pid, 'SIGKILL');
  },
  onDeliveryFailpoint(failpoint) {
    if (failpoint !== values['die-at-delivery']) return;
    passed += 1;
    if (passed > Number(values.after)) process.kill(process.pid, 'SIGKILL');
  },
});

import { parseArgs } from 'node:util';
import { startService } from '../../src/main.ts';
import { loadSettings } from '../../src/settings/load.ts';

// The real service, except that it can be made to die at a named failpoint of a withdrawal.
const { values } = parseArgs({ options: { config: { type: 'string' }, 'die-at': { type: 'string' } } });

await startService({
  settings: loadSettings(values.config, {}),
  onFailpoint(failpoint) {
    if (failpoint === values['die-at']) process.kill(process.pid, 'SIGKILL');
  },
});

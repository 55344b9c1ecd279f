import { routes } from '@gatehouse/contract';
import type { Settings } from '../../../settings/schema.ts';
import { ownUrl } from '../../../urls/own-url.ts';
import { type Finding, failed, ok, reasonOf } from './finding.ts';
import type { Tools } from './tools.ts';

const CHECK = 'service';
const START = 'start it with: systemctl start gatehouse; what stops it is in: journalctl -u gatehouse -n 50';

/** Checks the service's readiness at the address it listens on. */
export async function examineService(
  settings: Pick<Settings, 'host' | 'port'>,
  { askPublicly }: Pick<Tools, 'askPublicly'>,
): Promise<Finding> {
  const address = ownUrl(settings);
  if (address === undefined) return ok(CHECK, 'not looked at: it chooses a port by itself');
  try {
    const { status, isOurs } = await askPublicly(address, routes.ready.path);
    if (!isOurs)
      return failed(
        CHECK,
        `${address} is answered by something else`,
        'stop what uses the port, or choose another',
      );
    if (status === 200) return ok(CHECK, `${address} is ready`);
    return failed(
      CHECK,
      `${address} runs and is not ready (${status})`,
      'mend what fails below; the service comes back by itself',
    );
  } catch (error) {
    return failed(CHECK, `nothing answers at ${address}: ${reasonOf(error)}`, START);
  }
}

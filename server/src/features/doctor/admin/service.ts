import { routes } from '@gatehouse/contract';
import type { Settings } from '../../../settings/schema.ts';
import { ownUrl } from '../../../urls/own-url.ts';
import { type Finding, failed, ok, reasonOf } from './finding.ts';
import type { Tools } from './tools.ts';

const CHECK = 'service';
const START = 'start it with: systemctl start gatehouse; if it fails, see: journalctl -u gatehouse -n 50';

/** Checks the service's readiness at the address it listens on. */
export async function examineService(
  settings: Pick<Settings, 'host' | 'port'>,
  { askPublicly }: Pick<Tools, 'askPublicly'>,
): Promise<Finding> {
  const address = ownUrl(settings);
  if (address === undefined) return ok(CHECK, 'not checked: it chooses its port automatically');
  try {
    const { status, isOurs } = await askPublicly(address, routes.ready.path);
    if (!isOurs)
      return failed(
        CHECK,
        `something else answers at ${address}`,
        'stop the process that uses the port, or choose another port',
      );
    if (status === 200) return ok(CHECK, `${address} is ready`);
    return failed(
      CHECK,
      `${address} is running but not ready (${status})`,
      'fix what fails below; the service recovers automatically',
    );
  } catch (error) {
    return failed(CHECK, `nothing answers at ${address}: ${reasonOf(error)}`, START);
  }
}

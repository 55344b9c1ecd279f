import { routes } from '@gatehouse/contract';
import type { Settings } from '../../../settings/schema.ts';
import { type Finding, failed, ok, reasonOf } from './finding.ts';
import type { Tools } from './tools.ts';

const CHECK = 'service';
const START = 'start it with: systemctl start gatehouse; what stops it is in: journalctl -u gatehouse -n 50';

/** Asks the service itself whether it can work, where its settings say it listens. */
export async function examineService(
  { host, port }: Settings,
  { askPublicly }: Pick<Tools, 'askPublicly'>,
): Promise<Finding> {
  if (port === 0) return ok(CHECK, 'not looked at: it chooses a port by itself');
  const address = `http://${hostToAsk(host)}:${port}`;
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

/** An address to listen on is not always one to connect to. */
function hostToAsk(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

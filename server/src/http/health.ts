import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import manifest from '../../package.json' with { type: 'json' };
import type { Log } from '../logging/log.ts';
import { Refusal } from '../refusal.ts';
import { addressList, type Caller, loopback } from '../security/addresses.ts';
import type { Metrics } from './metrics.ts';
import { answered, mount } from './mount.ts';

const { version } = manifest;

export interface HealthDeps {
  /** Queries each dependency by name. Rejects with the reason if it is down. */
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
  /** Reported, but do not take the instance out of service. */
  readonly warnings: Readonly<Record<string, () => string | undefined>>;
  readonly stopping: () => boolean;
  readonly metrics: Metrics;
  readonly metricsReaders: readonly string[];
  readonly log: Pick<Log, 'warn'>;
}

export function healthRoutes(app: FastifyInstance, deps: HealthDeps): void {
  mount(app, routes.live, () => ({ status: 'live' as const, version }));

  const runCheck = createCheckRunner(deps.log);
  mount(app, routes.ready, async ({ reply }) => {
    const checks = Object.fromEntries(
      await Promise.all(
        Object.entries(deps.checks).map(
          async ([name, check]) => [name, await runCheck(name, check)] as const,
        ),
      ),
    );
    const ready = !deps.stopping() && Object.values(checks).every((result) => result === 'ok');
    const warnings = Object.entries(deps.warnings).flatMap(([name, warning]) => {
      const text = warning();
      return text === undefined ? [] : [[name, text] as const];
    });
    reply.header('cache-control', 'no-store');
    return answered(ready ? 200 : 503, {
      status: ready ? ('ready' as const) : ('not_ready' as const),
      checks: { ...checks, ...Object.fromEntries(warnings) },
    });
  });

  const configured = addressList(deps.metricsReaders);
  const mayRead = ({ address, direct }: Caller) =>
    configured.has(address) || (direct && loopback.has(address));
  mount(app, routes.metrics, async ({ context, reply }) => {
    if (!mayRead(context)) throw new Refusal('caller_not_allowed');
    const { contentType, text } = deps.metrics;
    return reply.header('content-type', contentType).send(await text());
  });
}

/** Logs the reason of a failure once and does not send it: callers must not see database errors. */
function createCheckRunner(log: HealthDeps['log']) {
  const failing = new Set<string>();
  return async (name: string, check: () => Promise<void>): Promise<'ok' | 'failed'> => {
    try {
      await check();
      failing.delete(name);
      return 'ok';
    } catch (error) {
      if (!failing.has(name)) log.warn({ err: error, check: name }, 'not ready');
      failing.add(name);
      return 'failed';
    }
  };
}

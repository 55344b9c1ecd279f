import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import manifest from '../../package.json' with { type: 'json' };
import type { Log } from '../logging/log.ts';
import { Refusal } from '../refusal.ts';
import { addressList, type Caller, loopback } from '../security/addresses.ts';
import type { Metrics } from './metrics.ts';
import { answered, mount } from './mount.ts';

const { version } = manifest;

export interface HealthParts {
  /** Each queries the dependency it is named for, and rejects with what is wrong. */
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
  /** Reported, but no reason to take the instance out of service. */
  readonly warnings: Readonly<Record<string, () => string | undefined>>;
  readonly stopping: () => boolean;
  readonly metrics: Metrics;
  readonly metricsReaders: readonly string[];
  readonly log: Pick<Log, 'warn'>;
}

export function healthRoutes(app: FastifyInstance, parts: HealthParts): void {
  mount(app, routes.live, () => ({ status: 'live' as const, version }));

  const runCheck = createCheckRunner(parts.log);
  mount(app, routes.ready, async ({ reply }) => {
    const checks = Object.fromEntries(
      await Promise.all(
        Object.entries(parts.checks).map(
          async ([name, check]) => [name, await runCheck(name, check)] as const,
        ),
      ),
    );
    const ready = !parts.stopping() && Object.values(checks).every((result) => result === 'ok');
    const warnings = Object.entries(parts.warnings).flatMap(([name, warning]) => {
      const text = warning();
      return text === undefined ? [] : [[name, text] as const];
    });
    reply.header('cache-control', 'no-store');
    return answered(ready ? 200 : 503, {
      status: ready ? ('ready' as const) : ('not_ready' as const),
      checks: { ...checks, ...Object.fromEntries(warnings) },
    });
  });

  const configured = addressList(parts.metricsReaders);
  const mayRead = ({ address, direct }: Caller) =>
    configured.has(address) || (direct && loopback.has(address));
  mount(app, routes.metrics, async ({ context, reply }) => {
    if (!mayRead(context)) throw new Refusal('caller_not_allowed');
    const { contentType, text } = parts.metrics;
    return reply.header('content-type', contentType).send(await text());
  });
}

/** The reason is logged, once, and not sent: error messages of a database are not for callers. */
function createCheckRunner(log: HealthParts['log']) {
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

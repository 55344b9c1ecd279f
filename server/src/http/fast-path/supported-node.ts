import type { Log } from '../../logging/log.ts';

/** The Node version whose undocumented fields the fast path relies on; package.json pins the same. */
export const SUPPORTED_NODE = '26.10.0';

interface Wish {
  /** The setting `http.fast_path`. */
  readonly enabled: boolean;
  readonly nodeVersion?: string;
  readonly log: Pick<Log, 'warn'>;
}

/** Reports whether the fast path is enabled and this is the Node version it supports. */
export function isUsable({ enabled, nodeVersion = process.versions.node, log }: Wish): boolean {
  if (!enabled || nodeVersion === SUPPORTED_NODE) return enabled;
  log.warn(
    { node: nodeVersion, supported: SUPPORTED_NODE },
    'the fast path is off on this version of Node; requests take longer',
  );
  return false;
}

/** The Node whose undocumented fields are known to be where the fast path looks for them; package.json pins the same. */
export const SUPPORTED_NODE = '26.10.0';

interface Wish {
  /** The setting `http.fast_path`. */
  readonly enabled: boolean;
  readonly nodeVersion?: string;
  readonly log: { warn(fields: object, message: string): void };
}

/** Whether the fast path is to be used: asked for, and on the Node it is made for. */
export function isUsable({ enabled, nodeVersion = process.versions.node, log }: Wish): boolean {
  if (!enabled || nodeVersion === SUPPORTED_NODE) return enabled;
  log.warn(
    { node: nodeVersion, supported: SUPPORTED_NODE },
    'the fast path is off on this version of Node; requests are slower',
  );
  return false;
}

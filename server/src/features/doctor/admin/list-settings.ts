import type { ListedSetting } from '@gatehouse/contract/admin';
import { maskUrl } from '../../../security/mask-url.ts';
import { leaves, providerLeaves, valueAt } from '../../../settings/leaves.ts';
import type { LiveSettings } from '../../../settings/live.ts';

const SECRET = /(?:^|_)(?:key|secret|password|token)$/;
const URL_NAME = /(?:^|_)url$/;

/** Every setting as it is in force, and where it comes from; what is secret is not shown. */
export function listSettings(settings: Pick<LiveSettings, 'current' | 'sourceOf'>): ListedSetting[] {
  const providers = Object.keys(settings.current.providers).flatMap((id) =>
    providerLeaves.map(({ path }) => ['providers', id, ...path]),
  );
  const paths = leaves.map(({ path }) => path).filter(([first]) => first !== 'providers');
  return [...paths, ...providers].map((path) => ({
    name: path.join('.'),
    value: shown(path.at(-1) ?? '', valueAt(settings.current, path)),
    source: settings.sourceOf(path),
  }));
}

function shown(name: string, value: unknown): unknown {
  if (value === undefined) return null;
  if (SECRET.test(name)) return '***';
  return typeof value === 'string' && URL_NAME.test(name) ? maskUrl(value) : value;
}

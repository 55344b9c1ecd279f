import type { ListedSetting } from '@gatehouse/contract/admin';
import { leaves, maskSetting, providerLeaves, valueAt } from '../../../settings/leaves.ts';
import type { LiveSettings } from '../../../settings/live.ts';

/** Lists every setting in force and its source. Secrets are masked. */
export function listSettings(settings: Pick<LiveSettings, 'current' | 'sourceOf'>): ListedSetting[] {
  const providers = Object.keys(settings.current.providers).flatMap((id) =>
    providerLeaves.map(({ path }) => ['providers', id, ...path]),
  );
  const paths = leaves.map(({ path }) => path).filter(([first]) => first !== 'providers');
  return [...paths, ...providers].map((path) => ({
    name: path.join('.'),
    value: maskSetting(path, valueAt(settings.current, path)),
    source: settings.sourceOf(path),
  }));
}

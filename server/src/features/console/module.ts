import type { Feature, FeatureContext } from '../../feature.ts';
import { consolePages } from './pages.ts';

interface ConsoleContext extends Pick<FeatureContext, 'settings'> {
  readonly consoleFolder: string;
}

export function openConsole({ settings, consoleFolder }: ConsoleContext): Feature {
  return { routes: (app) => consolePages(app, { settings, folder: consoleFolder }) };
}

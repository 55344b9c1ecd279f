import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Route } from '@gatehouse/contract/player';
import { normalizePath, type Plugin } from 'vite';
import { checkContractModules } from './contract-modules.ts';

const PACKAGE = '@gatehouse/contract';
const PLAYER = `${PACKAGE}/player`;
const PLAIN = `\0${PLAYER}`;
const PLAIN_ROUTES = `${PLAIN}/routes`;
const SOURCE = dirname(dirname(fileURLToPath(import.meta.resolve(PLAYER))));

/**
 * Evaluates the players' part of the contract while building and gives the page plain data in its place, so that the
 * schema library itself is not part of the bundle. Every other module of the contract is an error of the build.
 */
export function plainContract({ source = SOURCE } = {}): Plugin {
  const folder = `${normalizePath(source)}/`;
  return {
    name: 'gatehouse-plain-contract',
    enforce: 'pre',
    resolveId(id, importer) {
      if (id === PLAYER) return PLAIN;
      if (id === PLAIN_ROUTES) return id;
      if (id === PACKAGE || id.startsWith(`${PACKAGE}/`)) {
        this.error(`${importer} imports ${id}: the players' pages may import ${PLAYER} only`);
      }
      return null;
    },
    async load(id) {
      if (id.startsWith(folder)) this.error(`${id} is imported by its path: import ${PLAYER}`);
      if (id === PLAIN) return `export * as routes from ${JSON.stringify(PLAIN_ROUTES)};`;
      if (id !== PLAIN_ROUTES) return null;
      checkContractModules(source);
      const { routes } = await import(pathToFileURL(`${source}/player/index.ts`).href);
      return exportsOf(routes);
    },
  };
}

/** One export per route, so that those no page calls are shaken out; only what a page needs of each. */
function exportsOf(routes: Record<string, Route>): string {
  return Object.entries(routes)
    .map(([name, { method, path, auth, body }]) => {
      const data = { method, path, auth, body: plain(body) };
      return `export const ${name} = ${JSON.stringify(data)};`;
    })
    .join('\n');
}

/** Descriptions are for the API's document only. */
function plain(schema: Route['body']): unknown {
  return (
    schema && JSON.parse(JSON.stringify(schema, (key, value) => (key === 'description' ? undefined : value)))
  );
}

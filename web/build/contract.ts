import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Route } from '@gatehouse/contract/player';
import { normalizePath, type Plugin } from 'vite';
import { checkContractModules } from './contract-modules.ts';

const PACKAGE = '@gatehouse/contract';
const PLAYER = `${PACKAGE}/player`;
const SOURCE = dirname(dirname(fileURLToPath(import.meta.resolve(PLAYER))));

/** Plain functions without imports, bundled as they are. */
const ACCENT = `${PACKAGE}/accent`;

/** The modules of the contract that pages may import, with the file and the routes each exports. */
const PARTS: Readonly<Record<string, { readonly file: string; readonly exported: string }>> = {
  [PLAYER]: { file: 'player/index.ts', exported: 'routes' },
  [`${PACKAGE}/own-account`]: { file: 'player/own-account.ts', exported: 'ownAccountRoutes' },
};

const plainId = (part: string) => `\0${part}`;
const routesId = (part: string) => `${plainId(part)}/routes`;

/**
 * Evaluates the players' part of the contract at build time and replaces it with plain data, so that the bundle does not contain
 * the schema library. Importing any other module of the contract is a build error.
 */
export function plainContract({ source = SOURCE } = {}): Plugin {
  const folder = `${normalizePath(source)}/`;
  const parts = Object.entries(PARTS);
  return {
    name: 'gatehouse-plain-contract',
    enforce: 'pre',
    resolveId(id, importer) {
      if (id in PARTS) return plainId(id);
      if (id === ACCENT) return `${folder}accent.ts`;
      if (parts.some(([part]) => id === routesId(part))) return id;
      if (id === PACKAGE || id.startsWith(`${PACKAGE}/`)) {
        this.error(`${importer} imports ${id}: the players' pages may import ${PLAYER} only`);
      }
      return null;
    },
    async load(id) {
      if (id.startsWith(folder) && id !== `${folder}accent.ts`)
        this.error(`${id} is imported by its path: import ${PLAYER}`);
      for (const [part, { file, exported }] of parts) {
        if (id === plainId(part)) return `export * as ${exported} from ${JSON.stringify(routesId(part))};`;
        if (id !== routesId(part)) continue;
        checkContractModules(source, file);
        const module = await import(pathToFileURL(`${source}/${file}`).href);
        return exportsOf(module[exported]);
      }
      return null;
    },
  };
}

/** Emits one export per route, with the fields a page needs, so that unused routes are tree-shaken. */
function exportsOf(routes: Record<string, Route>): string {
  return Object.entries(routes)
    .map(([name, { method, path, auth, body }]) => {
      const data = { method, path, auth, body: plain(body) };
      return `export const ${name} = ${JSON.stringify(data)};`;
    })
    .join('\n');
}

/** Removes descriptions, which are only for the API document. */
function plain(schema: Route['body']): unknown {
  return (
    schema && JSON.parse(JSON.stringify(schema, (key, value) => (key === 'description' ? undefined : value)))
  );
}

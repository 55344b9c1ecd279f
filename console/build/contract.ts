import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Route } from '@gatehouse/contract';
import type { Plugin } from 'vite';

const PACKAGE = '@gatehouse/contract';
const ADMIN = `${PACKAGE}/admin`;
const PLAIN = `\0${ADMIN}`;
const PLAIN_ROUTES = `${PLAIN}/routes`;
const INDEX = fileURLToPath(import.meta.resolve(ADMIN));
/** Plain functions without imports, bundled as they are. */
const ACCENT = `${PACKAGE}/accent`;

/**
 * Evaluates the operators' part of the contract at build time and replaces it with plain data, so that the bundle does not
 * contain the schema library. Importing any other part of the contract is a build error.
 */
export function plainAdminContract(): Plugin {
  return {
    name: 'gatehouse-plain-admin-contract',
    enforce: 'pre',
    resolveId(id, importer) {
      if (id === ADMIN) return PLAIN;
      if (id === ACCENT) return fileURLToPath(import.meta.resolve(ACCENT));
      if (id === PLAIN_ROUTES) return id;
      if (id === PACKAGE || id.startsWith(`${PACKAGE}/`)) {
        this.error(`${importer} imports ${id}: the operators' pages may import ${ADMIN} only`);
      }
      return null;
    },
    async load(id) {
      if (id !== PLAIN && id !== PLAIN_ROUTES) return null;
      const { adminRoutes, ...rest } = await import(pathToFileURL(INDEX).href);
      return id === PLAIN ? plainModule(rest) : routesModule(adminRoutes);
    },
  };
}

/** Emits the routes as a namespace, whose unused members are tree-shaken, and lists of names as data. */
function plainModule(exported: Record<string, unknown>): string {
  const data = Object.entries(exported).flatMap(([name, value]) =>
    typeof value === 'object' && !isSchema(value) ? [`export const ${name} = ${JSON.stringify(value)};`] : [],
  );
  return [
    `export * as adminRoutes from ${JSON.stringify(PLAIN_ROUTES)};`,
    // The only function of the contract that pages call; its file has no imports.
    `export { permissionsOf } from ${JSON.stringify(`${dirname(INDEX)}/permission.ts`)};`,
    ...data,
  ].join('\n');
}

const isSchema = (value: unknown) => value !== null && typeof value === 'object' && '~kind' in value;

/** Emits one export per route, with the fields a page needs. */
function routesModule(routes: Record<string, Route>): string {
  return Object.entries(routes)
    .map(([name, { method, path, permission }]) => {
      return `export const ${name} = ${JSON.stringify({ method, path, permission })};`;
    })
    .join('\n');
}

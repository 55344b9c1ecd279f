import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Route } from '@gatehouse/contract';
import type { Plugin } from 'vite';

const PACKAGE = '@gatehouse/contract';
const ADMIN = `${PACKAGE}/admin`;
const PLAIN = `\0${ADMIN}`;
const PLAIN_ROUTES = `${PLAIN}/routes`;
const INDEX = fileURLToPath(import.meta.resolve(ADMIN));

/**
 * Evaluates the operators' part of the contract while building and gives the pages plain data in its place, so that
 * the schema library is not part of the bundle. Every other part of the contract is an error of the build.
 */
export function plainAdminContract(): Plugin {
  return {
    name: 'gatehouse-plain-admin-contract',
    enforce: 'pre',
    resolveId(id, importer) {
      if (id === ADMIN) return PLAIN;
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

/** The routes as a namespace, whose unused members are dropped; lists of names as data. */
function plainModule(exported: Record<string, unknown>): string {
  const data = Object.entries(exported).flatMap(([name, value]) =>
    typeof value === 'object' && !isSchema(value) ? [`export const ${name} = ${JSON.stringify(value)};`] : [],
  );
  return [
    `export * as adminRoutes from ${JSON.stringify(PLAIN_ROUTES)};`,
    // The one function of the contract that pages call; its file imports nothing.
    `export { permissionsOf } from ${JSON.stringify(`${dirname(INDEX)}/permission.ts`)};`,
    ...data,
  ].join('\n');
}

const isSchema = (value: unknown) => value !== null && typeof value === 'object' && '~kind' in value;

/** One export per route, with what a page needs of it. */
function routesModule(routes: Record<string, Route>): string {
  return Object.entries(routes)
    .map(([name, { method, path, permission }]) => {
      return `export const ${name} = ${JSON.stringify({ method, path, permission })};`;
    })
    .join('\n');
}

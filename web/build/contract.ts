import { type Route, routes } from '@gatehouse/contract';
import type { Plugin } from 'vite';

const PACKAGE = '@gatehouse/contract';
const PLAIN = `\0${PACKAGE}`;

/**
 * Evaluates the contract while building and gives the page plain data in its place, so that the
 * schema library itself is not part of the bundle.
 */
export function plainContract(): Plugin {
  return {
    name: 'gatehouse-plain-contract',
    enforce: 'pre',
    resolveId: (id) => (id === PACKAGE ? PLAIN : null),
    load: (id) => (id === PLAIN ? `export const routes = ${JSON.stringify(plainRoutes())};` : null),
  };
}

/** Only what the page needs of the routes it may call: method, path, open or not, body schema. */
function plainRoutes() {
  const declared: [string, Route][] = Object.entries(routes);
  return Object.fromEntries(
    declared
      .filter(([, { tag }]) => tag !== 'game servers' && tag !== 'operation')
      .map(([name, { method, path, open, body }]) => [name, { method, path, open, body: plain(body) }]),
  );
}

/** Descriptions are for the API's document only. */
function plain(schema: Route['body']): unknown {
  return (
    schema && JSON.parse(JSON.stringify(schema, (key, value) => (key === 'description' ? undefined : value)))
  );
}

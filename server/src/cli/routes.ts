import { type Route, routes } from '@gatehouse/contract';
import type { Command } from 'commander';
import { listing } from './context.ts';
import { print } from './output.ts';

export function routesCommand(): Command {
  return listing('routes', 'every route, and whether it is open').action((options: { json?: boolean }) => {
    const rows = Object.values<Route>(routes)
      .map(({ method, path, open }) => ({ method, path, open: open === true }))
      .sort((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method));
    print(options.json ? rows : rows.map((row) => ({ ...row, open: row.open ? 'open' : 'JWT' })), options);
  });
}

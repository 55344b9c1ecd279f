import { type Route, routes } from '@gatehouse/contract';
import { adminRoutes } from '@gatehouse/contract/admin';
import type { Command } from 'commander';
import { command } from './context.ts';
import { print } from './output.ts';

export function routesCommand(): Command {
  return command('routes').action((options: { json?: boolean }) => {
    const rows = [...Object.values<Route>(routes), ...Object.values<Route>(adminRoutes)]
      .map(listed)
      .sort((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method));
    print(options.json ? rows : rows.map(forPeople), options);
  });
}

function listed({ method, path, auth, permission }: Route) {
  const open = auth === 'none' || auth === 'game_server';
  return { method, path, open, auth, ...(permission && { permission }) };
}

function forPeople({ method, path, open, auth, permission }: ReturnType<typeof listed>) {
  return { method, path, open: open ? 'open' : 'guarded', auth, permission };
}

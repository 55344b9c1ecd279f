import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { parseSync } from 'vite';

/** Modules of the contract allowed in the players' bundle; folders end with a slash. */
const ALLOWED = [
  'player/',
  'fields.ts',
  'problem.ts',
  'refusals.ts',
  'route.ts',
  'site-fields.ts',
  'type.ts',
];

/** Throws if evaluating `file`, a players' module of the contract in `source`, would evaluate a module that is not allowed. */
export function checkContractModules(source: string, file: string): void {
  const seen = new Set<string>();
  follow(resolve(source, file));

  function follow(file: string): void {
    if (seen.has(file)) return;
    seen.add(file);
    for (const specifier of importedBy(file)) {
      const target = resolve(dirname(file), specifier);
      if (!specifier.startsWith('.') || !isAllowed(relative(source, target))) {
        throw new Error(`${relative(source, file)} imports ${specifier}: not for the players' bundle`);
      }
      follow(target);
    }
  }
}

function isAllowed(file: string): boolean {
  return ALLOWED.some((each) => (each.endsWith('/') ? file.startsWith(each) : file === each));
}

/**
 * Returns the runtime imports of a module, without type-only ones. A dynamic import is returned as the source text of its
 * argument, which is not a relative path and therefore refused.
 */
function importedBy(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module;
  return [
    ...staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports
      .flatMap(({ entries }) => entries)
      .flatMap(({ isType, moduleRequest }) => (moduleRequest && !isType ? [moduleRequest.value] : [])),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start, end)),
  ];
}

import { posix } from 'node:path';
import ts from 'typescript';

/** Source files by path, relative to one root. */
export type Sources = ReadonlyMap<string, string>;

export interface Import {
  readonly file: string;
  readonly specifier: string;
  /** The imported file below the same root; undefined for a package. */
  readonly target: string | undefined;
  readonly typeOnly: boolean;
}

/** Returns every import of every file: static, dynamic, re-exported and type-only, in .vue files too. */
export function importsIn(sources: Sources): Import[] {
  return [...sources].flatMap(([file, text]) => {
    const code = file.endsWith('.vue') ? scriptsOf(text) : text;
    const typeOnly = typeOnlySpecifiers(code);
    return ts.preProcessFile(code, true, true).importedFiles.map(({ fileName }) => ({
      file,
      specifier: fileName,
      target: fileName.startsWith('.') ? posix.join(posix.dirname(file), fileName) : undefined,
      typeOnly: typeOnly.has(fileName),
    }));
  });
}

function scriptsOf(component: string): string {
  return [...component.matchAll(/<script\b[^>]*>(.*?)<\/script>/gs)].map(([, code]) => code).join('\n');
}

/** Returns modules imported only by `import type` or `export type` statements. */
function typeOnlySpecifiers(code: string): Set<string> {
  const statements = [...code.matchAll(/^(?:import|export)\s+(type\s+)?[^;]*?from\s+'([^']+)'/gms)];
  const values = new Set(statements.filter(([, type]) => type === undefined).map(([, , name]) => name));
  const types = statements.filter(([, type]) => type !== undefined).map(([, , name]) => name ?? '');
  return new Set(types.filter((name) => !values.has(name)));
}

/** Returns each cycle once, as the files in it, from the alphabetically first back to itself. */
export function importCycles(sources: Sources): string[][] {
  const edges = new Map<string, string[]>([...sources.keys()].map((file) => [file, []]));
  for (const { file, target } of importsIn(sources))
    if (target !== undefined && sources.has(target)) edges.get(file)?.push(target);
  const found = new Map<string, string[]>();
  const finished = new Set<string>();

  function follow(file: string, path: readonly string[]): void {
    const start = path.indexOf(file);
    if (start >= 0) {
      const cycle = path.slice(start);
      const first = cycle.indexOf(cycle.toSorted()[0] ?? '');
      const turned = [...cycle.slice(first), ...cycle.slice(0, first)];
      found.set(turned.join(), [...turned, turned[0] ?? '']);
      return;
    }
    if (finished.has(file)) return;
    for (const target of edges.get(file) ?? []) follow(target, [...path, file]);
    finished.add(file);
  }
  for (const file of edges.keys()) follow(file, []);
  return [...found.values()];
}

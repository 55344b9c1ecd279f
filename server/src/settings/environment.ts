import { type Leaf, leaves, providerLeaves, type SchemaNode } from './leaves.ts';
import type { Problem } from './problems.ts';

const PREFIX = 'GATEHOUSE_';

/** Names the settings file to read; not a setting itself. */
export const CONFIG_VARIABLE = 'GATEHOUSE_CONFIG';

export const variableOf = (path: readonly string[]) => PREFIX + path.join('_').toUpperCase();

const byVariable = new Map(leaves.map((leaf) => [variableOf(leaf.path), leaf]));

/** Matches variables of `providers.<id>.*` by their ends, because the operator chooses the ids. */
function providerLeaf(variable: string): Leaf | undefined {
  for (const { path, schema } of providerLeaves) {
    const [start, end] = [`${PREFIX}PROVIDERS_`, `_${path.join('_').toUpperCase()}`];
    if (!variable.startsWith(start) || !variable.endsWith(end)) continue;
    const id = variable.slice(start.length, -end.length).toLowerCase();
    if (id !== '') return { path: ['providers', id, ...path], schema };
  }
  return undefined;
}

function parseText(text: string, schema: SchemaNode): unknown {
  if (schema.items?.type === 'object') return parseJson(text);
  if (schema.type === 'array')
    return text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (schema.type === 'integer' || schema.type === 'number')
    return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
  return text;
}

/** Returns invalid JSON as text, which fits no list and is refused as such. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Overlays the file's settings with those of the environment. */
export function overlayEnvironment(
  file: Record<string, unknown>,
  env: NodeJS.ProcessEnv,
): { settings: Record<string, unknown>; problems: Problem[] } {
  const settings = structuredClone(file);
  const problems: Problem[] = [];
  for (const [variable, text] of Object.entries(env)) {
    if (!variable.startsWith(PREFIX) || variable === CONFIG_VARIABLE || text === undefined) continue;
    const leaf = byVariable.get(variable) ?? providerLeaf(variable);
    if (leaf) place(settings, leaf.path, parseText(text, leaf.schema));
    else
      problems.push({
        setting: variable,
        message: 'is not a setting of this service; remove the variable or correct its name',
      });
  }
  return { settings, problems };
}

/** Sets the value at a path, creating the tables on the way. */
export function place(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const inner = target[key];
  const table = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
  target[key] = table;
  place(table, rest, value);
}

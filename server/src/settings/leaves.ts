import type { TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { maskUrl } from '../security/masking.ts';
import { ForumProviderSchema } from './forum-provider.ts';
import { SettingsSchema } from './schema.ts';

/** The part of a schema needed to walk the settings. */
export interface SchemaNode {
  readonly type?: string;
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Record<string, SchemaNode>;
  /** A list that may be written as a single string. */
  readonly oneOrMore?: true;
  readonly items?: SchemaNode;
  readonly patternProperties?: Record<string, SchemaNode>;
}

/** One setting: its path in the file and its schema. */
export interface Leaf {
  readonly path: readonly string[];
  readonly schema: SchemaNode;
}

function leavesOf(node: SchemaNode, path: readonly string[] = []): Leaf[] {
  if (!node.properties) return [{ path, schema: node }];
  return Object.entries(node.properties).flatMap(([key, child]) => leavesOf(child, [...path, key]));
}

export const settingsTree = SettingsSchema as unknown as SchemaNode;
export const leaves = leavesOf(settingsTree);
export const providerLeaves = leavesOf(ForumProviderSchema as unknown as SchemaNode);

export function leafOf(name: string): Leaf | undefined {
  return leaves.find(({ path }) => path.join('.') === name);
}

export function fitsSetting(name: string, value: unknown): boolean {
  const leaf = leafOf(name);
  return leaf !== undefined && Check(leaf.schema as TSchema, value);
}

export function valueAt(settings: object, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (table, key) => (table as Record<string, unknown> | undefined)?.[key],
    settings,
  );
}

const SECRET = /(?:^|_)(?:key|secret|password)$/;
const URL_NAME = /(?:^|_)url$/;

/** Returns a setting for display: secrets and passwords in URLs are masked. */
export function maskSetting(path: readonly string[], value: unknown): unknown {
  const name = path.at(-1) ?? '';
  if (value === undefined) return null;
  if (SECRET.test(name)) return '***';
  return typeof value === 'string' && URL_NAME.test(name) ? maskUrl(value) : value;
}

/** Fills in defaults at every depth and normalizes each setting. */
export function withDefaults(node: SchemaNode, value: unknown): unknown {
  const given = value === undefined ? structuredClone(node.default) : value;
  if (node.oneOrMore && typeof given === 'string') return [given];
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const filled: Record<string, unknown> = { ...given };
  for (const [key, child] of Object.entries(node.properties ?? {})) {
    const inner = withDefaults(child, filled[key]);
    if (inner !== undefined) filled[key] = inner;
  }
  for (const child of Object.values(node.patternProperties ?? {})) {
    for (const key of Object.keys(filled)) filled[key] = withDefaults(child, filled[key]);
  }
  return filled;
}

/** Levenshtein distance. A typo is one or two edits away. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, char] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const swap = (row[j] ?? 0) + (char === other ? 0 : 1);
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, swap));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Returns the setting with the most similar name, if it is similar enough. */
export function closestSetting(name: string): string | undefined {
  const names = leaves.map((leaf) => leaf.path.join('.'));
  const ranked = names.map((path) => ({ path, far: distance(name, path) })).sort((a, b) => a.far - b.far);
  const best = ranked[0];
  return best && best.far <= Math.max(2, name.length / 4) ? best.path : undefined;
}

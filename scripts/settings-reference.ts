import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { variableOf } from '../server/src/settings/environment.ts';
import { type Leaf, leaves, type SchemaNode } from '../server/src/settings/leaves.ts';
import { isLive } from '../server/src/settings/schema.ts';

const HEAD = `# Settings

One TOML file: \`--config FILE\`, else the variable \`GATEHOUSE_CONFIG\`, else \`gatehouse.toml\` in the working folder.
Every setting can also come from the environment, which wins: lists comma separated, booleans \`true\` or \`false\`,
durations in whole seconds. A setting that is unknown or does not fit stops the start with a line that names it.

Settings marked ● change without a restart, within 5 seconds of saving the file. A file with a mistake in it changes
nothing and is named in the log.

Further identity providers are written like \`forum\`, under \`providers.<id>\`, for example \`[providers.discord]\`.

`;

interface Described extends SchemaNode {
  readonly enum?: readonly string[];
  readonly anyOf?: readonly { const?: string }[];
}

function shown(value: unknown): string {
  if (value === undefined) return 'none';
  if (Array.isArray(value)) return `\`[${value.map((each) => JSON.stringify(each)).join(', ')}]\``;
  return `\`${value}\``;
}

function row({ path, schema }: Leaf): string {
  const { description = '', enum: choices, default: preset } = schema as Described;
  const live = isLive(path) ? ' ●' : '';
  const choice = choices ? ` (${choices.map((each) => `\`${each}\``).join(', ')})` : '';
  return `| \`${path.join('.')}\`${live} | ${shown(preset)} | ${description}${choice} | \`${variableOf(path)}\` |`;
}

/** The reference page, made from the schema that the service itself reads settings with. */
export function settingsReference(): string {
  const settings = leaves.filter(({ path }) => path[0] !== 'providers');
  const groups = Map.groupBy(settings, ({ path }) => (path.length === 1 ? '' : path[0]));
  const tables = [...groups].map(([group, members]) =>
    [
      `## ${group === '' ? 'The service itself' : `\`[${group}]\``}`,
      '',
      '| setting | default | meaning | variable |',
      '|---|---|---|---|',
      ...members.map(row),
      '',
    ].join('\n'),
  );
  return HEAD + tables.join('\n');
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, '../docs/settings.md'), settingsReference());

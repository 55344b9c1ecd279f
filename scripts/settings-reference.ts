import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { variableOf } from '../server/src/settings/environment.ts';
import { type Leaf, leaves, type SchemaNode } from '../server/src/settings/leaves.ts';
import { isLive } from '../server/src/settings/schema.ts';

interface Described extends SchemaNode {
  readonly enum?: readonly string[];
  readonly anyOf?: readonly { const?: string }[];
}

interface Language {
  readonly page: string;
  readonly head: string;
  readonly ungrouped: string;
  readonly columns: string;
  readonly none: string;
  readonly choice: (values: string) => string;
  readonly meaning: (description: string) => string;
}

const english: Language = {
  page: 'docs/settings.md',
  head: `# Settings

English · [简体中文](zh-CN/settings.md)

One TOML file: \`--config FILE\`, else the variable \`GATEHOUSE_CONFIG\`, else \`gatehouse.toml\` in the working folder.
Every setting can also come from the environment, which takes precedence: lists comma separated, booleans \`true\` or \`false\`,
durations in whole seconds. An unknown or invalid setting stops the start with a line that names it. The first part of a dotted name is
a table: \`withdraw.enabled\` is \`enabled\` below \`[withdraw]\`. Names without a dot stand before the first table.

Settings marked ● take effect without a restart, within 5 seconds of saving the file. If the file has an error, nothing
changes and the log names the error.

Further identity providers are written like \`forum\`, under \`providers.<id>\`, for example \`[providers.discord]\`. Each provider must know the
redirect address of the service, \`public_url\` with \`/api/forumauth/callback\`.

`,
  ungrouped: 'The service itself',
  columns: '| setting | default | meaning | variable |',
  none: 'none',
  choice: (values) => ` (${values})`,
  meaning: (description) => description,
};

/** Keyed by the English text, so that a changed description must be translated again. */
const meanings: Record<string, string | undefined> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'settings-zh-cn.json'), 'utf8'),
);

const chinese: Language = {
  page: 'docs/zh-CN/settings.md',
  head: `# 设置

[English](../settings.md) · 简体中文

一个 TOML 文件：由 \`--config FILE\` 指定，否则由环境变量 \`GATEHOUSE_CONFIG\` 指定，否则是工作目录里的 \`gatehouse.toml\`。每个设置项也可以来自环境变量，并以环境变量为准：列表用逗号分隔，布尔值写 \`true\` 或 \`false\`，时长是整数秒。未知或无效的设置项会使启动中止，并输出一行说明是哪一项。带点的名称，前一段是表名：\`withdraw.enabled\` 是 \`[withdraw]\` 下面的 \`enabled\`。不带点的名称写在第一个表之前。

标有 ● 的设置项改动后无需重启，保存文件后 5 秒内生效。文件有错误时不作任何改变，并在日志中指出错误。

其他身份提供方的写法与 \`forum\` 相同，写在 \`providers.<id>\` 之下，例如 \`[providers.discord]\`。每个提供方都要知道服务的回调地址：\`public_url\` 加上 \`/api/forumauth/callback\`。

`,
  ungrouped: '服务本身',
  columns: '| 设置项 | 默认值 | 含义 | 环境变量 |',
  none: '无',
  choice: (values) => `（${values.replaceAll(', ', '、')}）`,
  meaning(description) {
    const translated = meanings[description];
    if (translated === undefined) throw new Error(`scripts/settings-zh-cn.json lacks "${description}"`);
    return translated;
  },
};

/** Renders the settings reference, one page per language, from the schema that the service uses. */
export const settingsReferences = () =>
  [english, chinese].map((language) => ({ page: language.page, text: referenceIn(language) }));

/** Returns translations of descriptions that no setting has any longer. */
export function unusedTranslations(): string[] {
  const used = new Set(leaves.map(({ schema }) => (schema as Described).description));
  return Object.keys(meanings).filter((description) => !used.has(description));
}

function referenceIn(language: Language): string {
  const settings = leaves.filter(({ path }) => path[0] !== 'providers');
  const groups = Map.groupBy(settings, ({ path }) => (path.length === 1 ? '' : path[0]));
  const tables = [...groups].map(([group, members]) =>
    [
      `## ${group === '' ? language.ungrouped : `\`[${group}]\``}`,
      '',
      language.columns,
      '|---|---|---|---|',
      ...members.map((leaf) => row(leaf, language)),
      '',
    ].join('\n'),
  );
  return language.head + tables.join('\n');
}

function row({ path, schema }: Leaf, { none, choice, meaning }: Language): string {
  const { description = '', enum: choices, default: preset } = schema as Described;
  const live = isLive(path) ? ' ●' : '';
  const values = choices ? choice(choices.map((each) => `\`${each}\``).join(', ')) : '';
  const shown = preset === undefined ? none : `\`${literal(preset)}\``;
  return `| \`${path.join('.')}\`${live} | ${shown} | ${meaning(description)}${values} | \`${variableOf(path)}\` |`;
}

const literal = (value: unknown) =>
  Array.isArray(value) ? `[${value.map((each) => JSON.stringify(each)).join(', ')}]` : `${value}`;

if (import.meta.main)
  for (const { page, text } of settingsReferences())
    writeFileSync(join(import.meta.dirname, '..', page), text);

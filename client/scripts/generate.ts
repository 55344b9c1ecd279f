import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type JsonSchema, Problem, routes as publicRoutes, type Route } from '@gatehouse/contract';
import { webhookData } from '@gatehouse/contract/admin';
import { refusals } from '@gatehouse/contract/player';
import * as schemas from '@gatehouse/contract/schemas';
import { bodyOf, commentOf, type Names, typeOf } from './typescript.ts';

// Writes src/contract/ and the list of functions in the documentation from the contract: npm run generate --workspace client.

const root = resolve(import.meta.dirname, '../..');

type Routes = Readonly<Record<string, Route>>;

const HEAD = '// Generated from the contract by `npm run generate --workspace client`. Do not edit.\n\n';
const OTHERS = new Set(['game servers', 'operation']);
/** Only the identity provider sends browsers there. */
const NOT_CALLED = new Set(['callback']);
/** The contract's names of routes that are unclear outside of it. */
const RENAMED: Readonly<Record<string, string>> = { check: 'checkPlayer' };

const names: Names = new Map(
  Object.entries(schemas)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => [schema as unknown as JsonSchema, name]),
);
const named = (name: string, schema: JsonSchema) =>
  `${commentOf(schema.description)}export interface ${name} ${bodyOf(schema, names)}\n\n`;

function pick(fits: (name: string, route: Route) => boolean): Routes {
  const picked = Object.entries<Route>(publicRoutes).filter(([name, route]) => fits(name, route));
  return Object.fromEntries(picked.map(([name, route]) => [RENAMED[name] ?? name, route]));
}

const players = pick((name, { tag }) => !OTHERS.has(tag) && !NOT_CALLED.has(name));
const gameServers = pick((name, { auth }) => auth === 'game_server' || name === 'check');

/** Generated files with their text. */
export const generated: Readonly<Record<string, string>> = {
  'client/src/contract/player.ts': `${HEAD}${sharedTypes()}${typesOf('PlayerRoutes', players)}${tableOf('playerRoutes', players)}`,
  'client/src/contract/game-server.ts': `${HEAD}${typesOf('GameServerRoutes', gameServers)}${tableOf('gameServerRoutes', gameServers)}${webhookTypes()}`,
  'docs/clients.md': withFunctions('docs/clients.md'),
  'docs/zh-CN/clients.md': withFunctions('docs/zh-CN/clients.md'),
};

function sharedTypes(): string {
  const codes = Object.keys(refusals).map((code) => `  | '${code}'`);
  const used = [...names].filter(([schema]) => uses(players, schema));
  return [
    `/** Why the service refuses a request. */\nexport type RefusalCode =\n${codes.join('\n')};\n\n`,
    `/** The body of every refusal (RFC 9457). */\nexport interface Problem ${problemBody()}\n\n`,
    ...used.map(([schema, name]) => named(name, schema)),
  ].join('');
}

function problemBody(): string {
  const problem = Problem as unknown as JsonSchema;
  const code = problem.properties?.code ?? {};
  return bodyOf(problem, new Map([...names, [code, 'RefusalCode']]));
}

/** Whether the routes use a schema, itself or within another. */
function uses(routes: Routes, schema: JsonSchema): boolean {
  const seen = (value: unknown): boolean =>
    value === schema || (typeof value === 'object' && value !== null && Object.values(value).some(seen));
  return Object.values(routes).some(({ answers, body }) => seen(answers) || seen(body));
}

function typesOf(name: string, routes: Routes): string {
  const own = [...names].filter(([schema]) => !uses(players, schema) && uses(routes, schema));
  const members = Object.entries(routes).map(
    ([route, declared]) =>
      `${commentOf(declared.summary, '  ')}  ${route}: {\n    input: ${inputOf(declared)};\n    answer: ${answerOf(declared)};\n  };\n`,
  );
  const types = own.map(([schema, each]) => named(each, schema)).join('');
  return `${types}/** What each call takes and returns. */\nexport interface ${name} {\n${members.join('')}}\n\n`;
}

/** Parameters, query and body in one object: their names never collide, which a test checks. */
function inputOf({ params, query, body }: Route): string {
  const parts = [params, query, body].filter((part) => part !== undefined) as JsonSchema[];
  const unions = parts.filter((part) => part.anyOf);
  const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {}));
  const required = parts.flatMap((part) => part.required ?? []);
  const isEmpty = Object.keys(properties).length === 0;
  const object = isEmpty ? [] : [bodyOf({ properties, required }, names, '    ', ' | undefined')];
  const types = [...unions.map((part) => typeOf(part, names, '    ')), ...object];
  if (types.length === 0) return 'undefined';
  const type = types.join(' & ');
  return required.length === 0 && unions.length === 0 ? `undefined | ${type}` : type;
}

function answerOf({ answers }: Route): string {
  const types = Object.entries(answers)
    .filter(([status]) => Number(status) < 300)
    .map(([, { schema, mediaType }]) => {
      if (schema) return typeOf(schema as JsonSchema, names, '    ');
      return mediaType ? 'string' : 'undefined';
    });
  return [...new Set(types)].join(' | ') || 'never';
}

function tableOf(name: string, routes: Routes): string {
  const rows = Object.entries(routes).map(([route, declared]) => {
    const { method, path, auth, query, body, signed, answers } = declared;
    const schemasOf = Object.values(answers).flatMap(({ schema }) => (schema ? [schema as JsonSchema] : []));
    const row = {
      method,
      path,
      ...(auth === 'player' && { player: true }),
      ...(answers[302] && { link: true }),
      ...(body && { body: true }),
      ...(body && query && { query: Object.keys((query as JsonSchema).properties ?? {}) }),
      ...(signed && { signed: true }),
      ...(answers[200]?.mediaType && { text: true }),
      ...(schemasOf.some((schema) => names.get(schema) === 'Session') && { startsSession: true }),
    };
    const fields = Object.entries(row).map(
      ([key, value]) => `${key}: ${JSON.stringify(value).replaceAll('"', "'")}`,
    );
    return `  ${route}: { ${fields.join(', ')} },\n`;
  });
  return `export const ${name} = {\n${rows.join('')}} as const;\n\n`;
}

function webhookTypes(): string {
  const events = Object.entries(webhookData).map(
    ([type, schema]) => `  '${type}': ${bodyOf(schema as unknown as JsonSchema, names, '  ')};\n`,
  );
  const test = `  /** Sent by an operator's test. */\n  'webhook.test': { webhook_id: number };\n`;
  return `/** The \`data\` of each webhook event. */\nexport interface WebhookData {\n${events.join('')}${test}}\n`;
}

/** Returns a page with its table of functions filled in. */
function withFunctions(page: string): string {
  const rows = Object.entries(players).map(
    ([name, { method, path }]) => `| \`${name}\` | \`${method} ${path.replace(/:(\w+)/g, '{$1}')}\` |\n`,
  );
  const table = /(?<=\|---\|---\|\n)(?:\| `\w+` \| `[A-Z]+ \/api\/\S+` \|\n)+/;
  return readFileSync(join(root, page), 'utf8').replace(table, () => rows.join(''));
}

if (import.meta.main)
  for (const [file, text] of Object.entries(generated)) writeFileSync(join(root, file), text);

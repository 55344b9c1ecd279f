import { type Auth, type Route, refusals } from '@gatehouse/contract';
import { escapeHtml } from './html.ts';

const CALLERS: Readonly<Record<Auth, string>> = {
  none: 'anybody',
  player: 'a player with a JWT',
  game_server: 'a game server',
  operator: 'an operator',
};

/** Renders the API as one static page from the contract: no scripts, nothing to load. */
export function docsPage(routes: readonly Route[], openApiPath: string, siteTitle: string): string {
  const title = escapeHtml(`${siteTitle} API`);
  const tags = Map.groupBy(routes, ({ tag }) => tag);
  const links = [...tags.keys()].map((tag) => `<li><a href="#${idOf(tag)}">${escapeHtml(tag)}</a></li>`);
  const parts = [...tags].map(
    ([tag, of]) => `<h2 id="${idOf(tag)}">${escapeHtml(tag)}</h2>\n${of.map(article).join('\n')}`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark">
<meta name="description" content="Every route of the ${title}: who may call it, what it takes and what it answers.">
<title>${title}</title>
<style>${docsStyle}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p class="dim">For tools: <a href="${openApiPath}">the OpenAPI document</a>. Refusals are RFC 9457 <code>application/problem+json</code> with a stable <code>code</code>.</p>
</header>
<nav aria-label="Parts of the API"><ul>${links.join('')}</ul></nav>
<main>
${parts.join('\n')}
</main>
</body>
</html>
`;
}

const idOf = (text: string) => text.replaceAll(/\W+/g, '-');

function article(route: Route): string {
  const { method, path, summary, auth, body, params, query, headers, form } = route;
  const sections = [
    table('In the path', params),
    table('Query', query),
    table('Headers', headers),
    table(form ? 'Body (JSON or form)' : 'Body', body),
    ...Object.entries(route.answers).map(([status, answer]) => answerOf(status, answer)),
    refusalList(route),
  ];
  return `<article id="${method}-${idOf(path)}"><details>
<summary><span class="method ${method}">${method}</span><h3><code>${escapeHtml(path)}</code></h3><span>${escapeHtml(summary)}</span><span class="auth">${CALLERS[auth]}</span></summary>
<div>${sections.join('')}</div>
</details></article>`;
}

function answerOf(status: string, { description, schema, mediaType }: Route['answers'][number]): string {
  const kind = mediaType ? ` (<code>${escapeHtml(mediaType)}</code>)` : '';
  return table(`${status} ${description}`, schema) || `<h4>${status} ${escapeHtml(description)}${kind}</h4>`;
}

function table(title: string, schema: object | undefined): string {
  const fields = schema ? fieldsOf(schema as Schema) : [];
  if (fields.length === 0) return '';
  const rows = fields.map(
    ({ name, type, required, description }) =>
      `<tr><th scope="row"><code>${escapeHtml(name)}</code></th><td class="dim">${escapeHtml(type)}${required ? '' : ', optional'}</td><td>${escapeHtml(description)}</td></tr>`,
  );
  return `<h4>${escapeHtml(title)}</h4><table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function refusalList({ refusals: codes }: Route): string {
  if (codes.length === 0) return '';
  const statusOf = (code: string) => (refusals as Readonly<Record<string, number>>)[code] ?? '';
  const items = codes.map((code) => `<code>${code}</code> ${statusOf(code)}`);
  return `<h4>Refused with</h4><p>${items.join(', ')}</p>`;
}

/** The part of JSON Schema that the API page renders. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface Field {
  /** Includes the enclosing fields: `servers[].name`. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** Lists every field of an object, each followed by the fields nested in it. */
export function fieldsOf(schema: Schema, within = ''): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const name = within + key;
    const required = schema.required?.includes(key) ?? false;
    const own = { name, type: typeOf(field), required, description: field.description ?? '' };
    return [own, ...nestedIn(field, name)];
  });
}

function nestedIn(field: Schema, name: string): Field[] {
  const object = [field, ...(field.anyOf ?? [])].find((each) => each.properties);
  if (object) return fieldsOf(object, `${name}.`);
  const list = [field, ...(field.anyOf ?? [])].find((each) => each.items)?.items;
  return list ? nestedIn(list, `${name}[]`) : [];
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' | ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  return [schema.format ?? schema.type ?? 'any', ...limitsOf(schema)].join(', ');
}

function limitsOf({ minLength, maxLength, minimum, maximum }: Schema): string[] {
  const span = (from: number | undefined, to: number | undefined, unit: string) => {
    if (to !== undefined && to < Number.MAX_SAFE_INTEGER) return [`${from ?? 0} to ${to}${unit}`];
    return from ? [`at least ${from}${unit}`] : [];
  };
  return [...span(minLength, maxLength, ' characters'), ...span(minimum, maximum, '')];
}

/** Style of the API page: the look of the players' pages, in reading density. */
export const docsStyle = `
:root{color-scheme:dark;--ink:#0d141c;--line:#2b3947;--paper:#f3ecdf;--dim:#bdb8ac;--amber:#f2b65c}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:#080c12;color:var(--paper);font:1rem/1.6 system-ui,-apple-system,"PingFang SC","Microsoft YaHei",sans-serif;overflow-wrap:anywhere}
a{color:var(--amber);text-underline-offset:.2em}
:focus-visible{outline:2px solid var(--amber);outline-offset:2px}
h1,h2{font-family:Georgia,"Songti SC",serif;line-height:1.25}
h1{margin:0;font-size:1.75rem}
h2{margin:2.5rem 0 .75rem;font-size:1.375rem;text-transform:capitalize}
h3{margin:0;font-size:1rem;font-weight:600}
h4{margin:1rem 0 .25rem;color:var(--dim);font-size:.875rem}
p{margin:.25rem 0}
code{font:.9375em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
header,nav,main{max-width:76rem;margin:0 auto;padding:1.5rem 1.25rem 0}
main{padding-bottom:4rem}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:0;padding:0;list-style:none;text-transform:capitalize}
nav a{display:block;padding:.25rem 0}
article{margin:0 0 .75rem;border:1px solid var(--line);border-radius:12px;background:var(--ink)}
summary{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem .75rem;padding:.75rem 1rem;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
summary:hover{background:#131c26}
details>div{padding:0 1rem 1rem;border-top:1px solid var(--line)}
.method{min-width:3.75rem;padding:.05rem .5rem;border-radius:6px;background:#1b2733;color:#9cc7ee;font:700 .8125rem/1.6 ui-monospace,monospace;text-align:center}
.POST,.PUT,.PATCH{color:#86d9b7}
.DELETE{color:#ff8d75}
.dim{color:var(--dim)}
.auth{margin-inline-start:auto;color:var(--dim);font-size:.8125rem}
table{width:100%;border-collapse:collapse;font-size:.9375rem}
th,td{padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line);text-align:start;vertical-align:top}
th{color:var(--dim);font-size:.8125rem;font-weight:600}
th[scope=row]{width:24%;color:var(--paper);font-size:inherit;font-weight:400}
td:nth-child(2){width:34%}
@media(width<48rem){.auth{width:100%}th[scope=row],td:nth-child(2){width:auto}}
`;

import { type Auth, type Route, refusals } from '@gatehouse/contract';
import { fieldsOf, type Schema } from './docs-fields.ts';
import { docsStyle } from './docs-style.ts';
import { escapeHtml } from './html.ts';

const CALLERS: Readonly<Record<Auth, string>> = {
  none: 'anybody',
  player: 'a player with a JWT',
  game_server: 'a game server',
  operator: 'an operator',
};

/** Renders the API as one static page from the contract: no scripts, nothing to load. */
export function docsPage(routes: readonly Route[], openApiPath: string): string {
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
<meta name="description" content="Every route of the Gatehouse API: who may call it, what it takes and what it answers.">
<title>Gatehouse API</title>
<style>${docsStyle}</style>
</head>
<body>
<header>
<h1>Gatehouse API</h1>
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

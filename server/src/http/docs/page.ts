import { type JsonSchema, type RefusalCode, type Route, refusals, type Site } from '@gatehouse/contract';
import { escapeHtml } from '../html.ts';
import { type Language, languages } from '../texts/index.ts';
import { codesOf, type NamedRoutes, problemExample } from './openapi.ts';
import { curlSample, sampleOf, typescriptSample } from './samples.ts';
import { described, exampleOf, type Field, fieldsOf, objectsOf } from './schema.ts';
import { docsScript } from './script.ts';
import { docsStyle } from './style.ts';
import { type DocsTexts, docsTexts } from './texts.ts';

export interface DocsPage {
  readonly routes: NamedRoutes;
  readonly openApiPath: string;
  /** The page of the operators' routes; undefined on that page. */
  readonly operatorsPath?: string;
  readonly site: Site;
  readonly publicUrl: string;
  readonly language: Language;
}

/** The routes of the six steps from a visitor to a game. */
const FIRST_STEPS = ['serverList', 'sendCode', 'register', 'login', 'enterGame', 'check'];

/** Renders an API as one page from the contract. Without scripts it lacks only the search and the forms to try routes. */
export function docsPage(page: DocsPage): string {
  const { routes, site, language, openApiPath, operatorsPath } = page;
  const texts = docsTexts[language];
  const title = escapeHtml(texts.title(site.title));
  const tags = Map.groupBy(Object.entries(routes), ([, { tag }]) => tag);
  const links = [...tags].map(
    ([tag, named]) =>
      `<li><a href="#tag-${idOf(tag)}">${escapeHtml(texts.of(tag))}</a><ul>${named
        .map(
          ([name, { method, path }]) =>
            `<li><a href="#${name}"><code>${method} ${escapeHtml(path.replace('/api/', ''))}</code></a></li>`,
        )
        .join('')}</ul></li>`,
  );
  const sections = [...tags].map(
    ([tag, named]) =>
      `<section><h2 id="tag-${idOf(tag)}">${escapeHtml(texts.of(tag))}</h2>\n${noteOf(tag, texts)}${named
        .map(([name, route]) => article(name, route, page, texts))
        .join('\n')}</section>`,
  );
  const other = language === 'en' ? 'zh-CN' : 'en';
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark">
<meta name="description" content="${title}. ${escapeHtml(texts.lead)}">
<title>${title}</title>
${site.favicon === undefined ? '' : `<link rel="icon" href="${site.favicon}">\n`}<style>${docsStyle(site)}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p class="dim">${escapeHtml(texts.lead)}</p>
<p class="links"><a href="?lang=${other}" lang="${other}" hreflang="${other}">${texts.otherLanguage}</a> <a href="${openApiPath}">${texts.forTools}</a>${operatorsPath === undefined ? '' : ` <a href="${operatorsPath}">${texts.forOperators}</a>`}</p>
<div class="tools"><label>${texts.search}<input id="search" type="search" autocomplete="off"></label><label>${texts.token}<input id="token" autocomplete="off" spellcheck="false"><small class="dim">${texts.tokenHint}</small></label></div>
<p id="nothing" role="status" hidden>${texts.nothingFound}</p>
</header>
<div class="columns">
<nav aria-label="${title}"><ul>${operatorsPath === undefined ? '' : `<li><a href="#start">${texts.start}</a></li>`}${links.join('')}<li><a href="#refusals">${texts.refusals}</a></li></ul></nav>
<main data-send="${texts.send}" data-failed="${texts.failed}">
${operatorsPath === undefined ? '' : gettingStarted(page, texts)}
${sections.join('\n')}
${refusalTable(page, texts)}
</main>
</div>
${footerOf(site, language)}<script>${docsScript}</script>
</body>
</html>
`;
}

/** Renders the foot that the players' pages have too. */
function footerOf({ footer, footer_en }: Site, language: Language): string {
  const text = (language === 'en' ? (footer_en ?? footer) : footer) ?? '';
  return text === '' ? '' : `<footer class="dim">${escapeHtml(text).replaceAll('\n', '<br>')}</footer>\n`;
}

/** Renders what all routes of a tag have in common. */
const noteOf = (tag: string, { notes }: DocsTexts) =>
  notes[tag] === undefined ? '' : `<p class="dim">${rich(notes[tag])}</p>\n`;

/** Renders text of the contract, with code between backticks. */
const rich = (text: string) => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const idOf = (text: string) => text.replaceAll(/\W+/g, '-');
const code = (text: string) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;
const json = (value: unknown) => code(JSON.stringify(value, null, 2));

function gettingStarted({ routes, publicUrl }: DocsPage, texts: DocsTexts): string {
  const steps = FIRST_STEPS.flatMap((name, place) => {
    const route = routes[name];
    if (!route) return [];
    const link = `<a href="#${name}">${route.method} ${escapeHtml(route.path)}</a>`;
    return [
      `<li><p>${escapeHtml(texts.steps[place] ?? '')} ${link}</p>${code(curlSample(sampleOf(route, publicUrl)))}</li>`,
    ];
  });
  return `<section><h2 id="start">${texts.start}</h2><p>${rich(texts.startLead)}</p><ol>${steps.join('')}</ol></section>`;
}

function refusalTable({ routes, language }: DocsPage, texts: DocsTexts): string {
  const codes = [...new Set(Object.values(routes).flatMap(codesOf))].sort(
    (a, b) => refusals[a] - refusals[b],
  );
  const rows = codes.map((each) => {
    const [title, detail] = languages[language].refusals[each];
    const meaning = detail.startsWith(title) ? detail : `${title}${language === 'en' ? '. ' : '。'}${detail}`;
    // A narrow screen breaks a code at its underscores.
    const word = each.replaceAll('_', '_<wbr>');
    return `<tr id="refusal-${each}"><th scope="row"><code>${word}</code> ${refusals[each]}</th><td>${escapeHtml(meaning)}</td><td>${escapeHtml(texts.remedies[each])}</td></tr>`;
  });
  const { refusals: refusalTexts, fields } = languages[language];
  const example = problemExample('invalid_request', refusalTexts.invalid_request);
  const errors = [{ field: 'account', message: fields.required }];
  return `<section><h2 id="refusals">${texts.refusals}</h2><p>${texts.refusalsLead}</p>${json({ ...example, errors })}${tableOf(texts.refusalHeads, rows)}</section>`;
}

function article(name: string, route: Route, page: DocsPage, texts: DocsTexts): string {
  const { method, path, summary, auth, permission, body, params, query, headers, form } = route;
  const caller = `${texts.callers[auth]}${permission ? `, ${texts.permission} <code>${permission}</code>` : ''}`;
  const sample = sampleOf(route, page.publicUrl);
  const sections = [
    fieldTable(texts.path, params, texts),
    fieldTable(texts.query, query, texts),
    fieldTable(texts.headers, headers, texts),
    fieldTable(form ? texts.bodyOrForm : texts.body, body, texts),
    body ? `<h4>${texts.example}</h4><div class="body">${json(sample.body)}</div>` : '',
    `<h4>curl</h4>${code(curlSample(sample))}`,
    route.upload ? '' : `<details><summary>TypeScript</summary>${code(typescriptSample(sample))}</details>`,
    ...Object.entries(route.answers).map(([status, answer]) => answerOf(status, answer, texts)),
    refusalList(route, texts),
    `<button type="button" class="try">${texts.tryIt}</button>`,
  ];
  const examples = (schema: object | undefined) => escapeHtml(queryOf((schema ?? {}) as JsonSchema));
  return `<article id="${name}" data-method="${method}" data-path="${escapeHtml(path)}" data-params="${examples(params)}" data-query="${examples(query)}"><details>
<summary><span class="method ${method}">${method}</span><h3><code>${escapeHtml(path)}</code></h3><span>${rich(texts.of(summary))}</span><span class="auth">${caller}</span></summary>
<div><a class="anchor" href="#${name}" aria-label="#${name}">#${name}</a>${sections.join('')}</div>
</details></article>`;
}

function answerOf(
  status: string,
  { description, schema, mediaType }: Route['answers'][number],
  texts: DocsTexts,
): string {
  const kind = mediaType ? ` (<code>${escapeHtml(mediaType)}</code>)` : '';
  const title = `${status} ${texts.of(description)}`;
  const table = fieldTable(title, schema, texts) || `<h4>${rich(title)}${kind}</h4>`;
  return table + (schema ? json(exampleOf(schema as JsonSchema)) : '');
}

/** Returns the names of the fields as a query, with an example of each that is required. */
function queryOf({ properties = {}, required = [] }: JsonSchema): string {
  const pairs = Object.entries(properties).map(([name, field]): [string, string] => [
    name,
    required.includes(name) ? String(exampleOf(field, name)) : '',
  ]);
  return new URLSearchParams(pairs).toString();
}

/** Renders a table for each object that the schema allows. */
function fieldTable(title: string, schema: object | undefined, texts: DocsTexts): string {
  const objects = schema ? objectsOf(described(schema as JsonSchema)) : [];
  return objects
    .map((each) => fieldsOf(each))
    .filter((fields) => fields.length > 0)
    .map((fields, n) => fieldRows(n === 0 ? title : texts.or, fields, texts))
    .join('');
}

function fieldRows(title: string, fields: readonly Field[], texts: DocsTexts): string {
  const rows = fields.map(
    ({ name, type, required, description }) =>
      `<tr><th scope="row"><code>${escapeHtml(name)}</code></th><td class="dim">${escapeHtml(type)}${required ? '' : `, ${texts.optional}`}</td><td>${rich(texts.of(description))}</td></tr>`,
  );
  return `<h4>${rich(title)}</h4>${tableOf(texts.heads, rows)}`;
}

const tableOf = (heads: readonly string[], rows: readonly string[]) =>
  `<div class="table"><table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;

function refusalList(route: Route, { refused }: DocsTexts): string {
  const item = (each: RefusalCode) => `<a href="#refusal-${each}"><code>${each}</code></a> ${refusals[each]}`;
  return `<h4>${refused}</h4><p>${codesOf(route).map(item).join(', ')}</p>`;
}

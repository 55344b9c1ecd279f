import { escapeHtml } from '../../http/html.ts';
import { fill } from '../../http/texts/index.ts';
import type { Zone } from '../zones/store.ts';
import { type Line, wordsOf } from './line.ts';
import { reportStyle } from './report-style.ts';
import { type Area, type ReportLanguage, reportLanguages, type Texts } from './texts/index.ts';

export interface Report {
  readonly zone: Pick<Zone, 'serverId' | 'name'>;
  readonly lines: readonly Line[];
  readonly language: ReportLanguage;
  readonly version: string;
  /** Formatted time of the run. */
  readonly time: string;
  /** The command that repeats the run. */
  readonly again: string;
}

const RESULTS = ['ok', 'failed', 'skipped'] as const;
const MARKS = { ok: '✓', failed: '✗', skipped: '–' } as const;
const LANGUAGE_TAGS = { zh: 'zh-CN', en: 'en' } as const;

const LOGO =
  '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M2 7c4 0 7-1.500 10-4 3 2.500 6 4 10 4M4.500 8v13M19.500 8v13M4.500 12h15M9 21v-5a3 3 0 0 1 6 0v5M2.500 21h19"/></svg>';

/** Renders a self-contained page: no scripts, nothing external, and fit for print. */
export function reportPage(report: Report): string {
  const { zone, lines, language, version, time, again } = report;
  const texts: Texts = reportLanguages[language];
  const words = texts.report;
  const failed = lines.filter(({ result }) => result === 'failed');
  const verdict = failed.length === 0 ? 'good' : 'bad';
  const title = `${words.title} · ${fill(words.zone, { server_id: zone.serverId })}`;
  return `<!doctype html>
<html lang="${LANGUAGE_TAGS[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${reportStyle}</style>
</head>
<body>
<main class="sheet">
<header class="head">
<div>
<p class="brand">${LOGO}Gatehouse</p>
<h1>${words.title}</h1>
<p class="zone">${escapeHtml(`${fill(words.zone, { server_id: zone.serverId })} · ${zone.name}`)}</p>
<p class="dim">${escapeHtml(fill(words.made, { version, time }))}</p>
</div>
<p class="stamp ${verdict}">${words.stamp[verdict]}</p>
</header>
${summary(lines, words)}
<p class="verdict">${words[verdict]}${verdict === 'good' && lines.some(({ result }) => result === 'skipped') ? ` ${words.incomplete}` : ''}</p>
${failed.length === 0 ? '' : `<ol class="mend">${failed.map((line) => toMend(line, texts)).join('')}</ol>`}
${(Object.keys(texts.areas) as Area[]).map((area) => section(area, lines, texts)).join('\n')}
<footer class="dim">
<p>${words.again}<code>${escapeHtml(again)}</code></p>
<p>${words.docs} ${words.secrets}</p>
</footer>
</main>
</body>
</html>
`;
}

function summary(lines: readonly Line[], words: Texts['report']): string {
  const counts = RESULTS.map((result) => ({
    result,
    count: lines.filter((line) => line.result === result).length,
    label: { ok: words.passed, failed: words.failed, skipped: words.skipped }[result],
  }));
  const numbers = counts.map(
    ({ result, count, label }) =>
      `<li class="${result}"><span class="number">${count}</span>${MARKS[result]} ${label}</li>`,
  );
  const bar = counts
    .filter(({ count }) => count > 0)
    .map(({ result, count }) => `<span class="${result}" style="flex:${count}"></span>`);
  return `<ul class="sum">${numbers.join('')}</ul>\n<div class="bar" aria-hidden="true">${bar.join('')}</div>`;
}

function toMend(line: Line, texts: Texts): string {
  const { says, advice = '' } = wordsOf(line, texts);
  const who = line.area === 'game' ? texts.report.byAuthors : texts.report.byOperator;
  return `<li><p class="who">${who}</p><h3>${texts.checks[line.check]}</h3>
<p>${texts.report.seen}${escapeHtml(says)}</p>
<p class="do"><b>${texts.report.todo}</b>${escapeHtml(advice)}</p>
${exchange(line, texts)}</li>`;
}

function section(area: Area, lines: readonly Line[], texts: Texts): string {
  const { title, about } = texts.areas[area];
  const own = lines.filter((line) => line.area === area).map((line) => row(line, texts));
  return `<section><h2>${title}</h2><p class="dim">${about}</p><ul class="lines">${own.join('\n')}</ul></section>`;
}

function row(line: Line, texts: Texts): string {
  const { result, check } = line;
  const { says, advice } = wordsOf(line, texts);
  // Failures are listed above with their advice.
  const hint = result === 'skipped' && advice !== undefined ? `<p class="dim">${escapeHtml(advice)}</p>` : '';
  return `<li class="${result}"><span class="mark">${MARKS[result]}</span><div><h3>${texts.checks[check]}</h3><p>${escapeHtml(says)}</p>${hint}${result === 'failed' ? '' : exchange(line, texts)}</div></li>`;
}

function exchange({ shown }: Line, { report }: Texts): string {
  if (!shown) return '';
  const entry = (name: string, text: string) => `<dt>${name}</dt><dd><code>${escapeHtml(text)}</code></dd>`;
  return `<dl>${entry(report.request, shown.request)}${entry(report.response, shown.response)}</dl>`;
}

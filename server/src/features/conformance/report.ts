import { escapeHtml } from '../../http/html.ts';
import { fill } from '../../http/texts/index.ts';
import type { Zone } from '../zones/store.ts';
import { type Line, wordsOf } from './line.ts';
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

/** Style of the report: designed for print, so it is light and does not depend on colour. */
export const reportStyle = `
:root{--ink:#1c2530;--dim:#5d6672;--line:#ddd3c0;--paper:#fbf7ef;--page:#efe8da;--jade:#1f7a57;--lacquer:#b3352a;--amber:#9a6a12}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;overflow-wrap:anywhere;-webkit-print-color-adjust:exact;print-color-adjust:exact}
.sheet{max-width:58rem;margin:2rem auto;padding:3rem clamp(1.25rem,5vw,4rem);background:var(--paper);border-top:6px solid var(--lacquer);box-shadow:0 1px 3px #0002,0 12px 40px #0001}
h1,h2,.number,.stamp{font-family:Georgia,"Songti SC","Noto Serif CJK SC",serif}
h1{margin:.25rem 0 0;font-size:2.25rem;line-height:1.2}
h2{margin:0;font-size:1.375rem;line-height:1.3}
h3{margin:0;font-size:1rem;font-weight:600}
p{margin:.25rem 0}
code{font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Noto Sans Mono CJK SC",monospace}
.head{display:flex;gap:1.5rem;align-items:flex-start;justify-content:space-between}
.brand{display:flex;gap:.5rem;align-items:center;color:var(--lacquer);font-size:.875rem;font-weight:600;letter-spacing:.08em}
.brand svg{width:1.5rem;height:1.5rem}
.zone{font-size:1.25rem}
.stamp{flex:none;padding:.5rem .875rem;border:3px double currentColor;border-radius:4px;font-size:1.5rem;font-weight:700;letter-spacing:.12em;transform:rotate(-4deg)}
.stamp.good{color:var(--jade)}.stamp.bad{color:var(--lacquer)}
.dim{color:var(--dim);font-size:.875rem}
.sum{display:grid;grid-template-columns:repeat(3,1fr);gap:1rem;margin:2rem 0 .75rem;padding:0;list-style:none}
.sum li{padding:.75rem 0 0;border-top:1px solid var(--line)}
.number{display:block;font-size:2.5rem;line-height:1.1;font-variant-numeric:tabular-nums}
.ok .number,.ok .mark{color:var(--jade)}.failed .number,.failed .mark{color:var(--lacquer)}.skipped .number,.skipped .mark{color:var(--dim)}
.bar{display:flex;gap:2px;height:.5rem;margin:0 0 1.5rem}
.bar span{border-radius:2px}
.bar .ok{background:var(--jade)}.bar .failed{background:var(--lacquer)}.bar .skipped{background:var(--line)}
.verdict{margin:0 0 1rem;font-size:1.125rem}
.mend{margin:0;padding:0;list-style:none;counter-reset:mend}
.mend>li{position:relative;margin:0 0 1rem;padding:1rem 1.25rem 1rem 3.5rem;border:1px solid #e2b9b0;border-left:4px solid var(--lacquer);background:#fdf1ec;break-inside:avoid}
.mend>li::before{counter-increment:mend;content:counter(mend);position:absolute;left:1.25rem;top:.75rem;color:var(--lacquer);font:700 1.5rem/1.3 Georgia,serif}
.who{float:right;margin:0 0 0 1rem;padding:0 .5rem;border:1px solid #e2b9b0;border-radius:99px;color:var(--lacquer);font-size:.75rem}
.do{margin-top:.5rem}
.do b{display:block;color:var(--lacquer);font-size:.8125rem}
section{margin-top:2.5rem}
section>h2{padding-bottom:.375rem;border-bottom:2px solid var(--ink);break-after:avoid}
.lines{margin:0;padding:0;list-style:none}
.lines>li{display:grid;grid-template-columns:1.75rem 1fr;gap:.25rem .5rem;padding:.75rem 0;border-bottom:1px solid var(--line);break-inside:avoid}
.mark{font-size:1.125rem;font-weight:700;line-height:1.4}
.skipped h3{color:var(--dim);font-weight:500}
dl{display:grid;grid-template-columns:max-content 1fr;gap:0 .75rem;margin:.375rem 0 0;padding:.375rem .625rem;border-radius:4px;background:#f1eadc}
.mend dl{background:#f8e2da}
dt{color:var(--dim);font-size:.8125rem}
dd{margin:0}
footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line)}
@media(width<36rem){.sheet{margin:0}.head{flex-direction:column-reverse}h1{font-size:1.75rem}dl{grid-template-columns:1fr}}
@page{margin:16mm}
@media print{body{background:none;font-size:10.5pt}.head{padding-top:.75rem}.sheet{max-width:none;margin:0;padding:0;border:0;background:none;box-shadow:none}}
`;

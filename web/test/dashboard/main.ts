import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium } from '../../../test-support/programs.ts';

// Draws the panels of deploy/grafana/gatehouse.json from the data of a running Prometheus:
// node web/test/dashboard/main.ts http://127.0.0.1:9090 MINUTES docs/images/dashboard.png

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  readonly fieldConfig?: { readonly defaults: { readonly unit: string } };
}

interface Series {
  readonly label: string;
  readonly points: readonly (readonly [number, string])[];
}

const [prometheus = '', minutes = '15', file = 'dashboard.png'] = process.argv.slice(2);
const root = join(import.meta.dirname, '../../..');
const uplot = join(root, 'node_modules/uplot/dist');
const STEP_S = 10;
const end = Math.floor(Date.now() / 1000 / STEP_S) * STEP_S;
const start = end - Number(minutes) * 60;

async function readSeries(expr: string, legend: string): Promise<Series[]> {
  const query = expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*');
  const parameters = new URLSearchParams({ query, start: `${start}`, end: `${end}`, step: `${STEP_S}` });
  const answer = await fetch(`${prometheus}/api/v1/query_range?${parameters}`);
  const { data, error } = (await answer.json()) as {
    data?: { result: { metric: Record<string, string>; values: [number, string][] }[] };
    error?: string;
  };
  if (!data) throw new Error(`${query}: ${error}`);
  return data.result.map(({ metric, values }) => ({
    label: legend.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => metric[name] ?? ''),
    points: values,
  }));
}

/** Draws in the browser: plots with uPlot, the last value of other panels as a number. */
function draw(
  panels: { type: string; title: string; unit: string; series: Series[] }[],
  from: number,
  to: number,
  step: number,
) {
  const colours = ['#f2b65c', '#7cc4ff', '#86d9b7', '#ff8d75', '#c9a6ff', '#e5e07b', '#6fd3d3', '#f59fc5'];
  const format = (value: number | null | undefined, unit: string) => {
    if (value == null || Number.isNaN(value)) return '–';
    if (unit === 's')
      return value < 1 ? `${+(value * 1000).toPrecision(2)} ms` : `${+value.toPrecision(3)} s`;
    if (unit === 'bytes') return `${Math.round(value / 1048576)} MiB`;
    if (unit === 'percentunit') return `${+(value * 100).toPrecision(2)} %`;
    return `${+value.toPrecision(3)}`;
  };
  const times = Array.from({ length: (to - from) / step + 1 }, (_, place) => from + place * step);
  for (const { type, title, unit, series } of panels) {
    const box = document.body.appendChild(document.createElement('section'));
    box.className = type;
    box.appendChild(document.createElement('h2')).textContent = title;
    const columns = series.map(({ points }) => {
      const byTime = new Map(points.map(([at, value]) => [at, Number(value)]));
      return times.map((at) => byTime.get(at) ?? null);
    });
    if (type === 'stat')
      box.appendChild(document.createElement('b')).textContent = format(columns[0]?.at(-1), unit);
    if (type !== 'timeseries') continue;
    const axis = { stroke: '#a9b4bf', grid: { stroke: '#1f2b37' }, font: '11px sans-serif' };
    new (globalThis as unknown as { uPlot: new (...args: unknown[]) => unknown }).uPlot(
      {
        width: 440,
        height: 190,
        legend: { show: false },
        scales: { y: { range: (_: unknown, _low: number, high: number) => [0, high > 0 ? high * 1.1 : 1] } },
        axes: [
          axis,
          {
            ...axis,
            size: 62,
            values: (_: unknown, ticks: number[]) => ticks.map((each) => format(each, unit)),
          },
        ],
        series: [
          {},
          ...series.map(({ label }, place) => ({
            label,
            stroke: colours[place % 8],
            width: 1.5,
            spanGaps: true,
          })),
        ],
      },
      [times, ...columns],
      box,
    );
    const legend = box.appendChild(document.createElement('p'));
    series.forEach(({ label }, place) => {
      const name = legend.appendChild(document.createElement('span'));
      legend.append(' ');
      name.style.color = colours[place % 8] ?? '';
      name.textContent = label;
    });
  }
}

const { panels } = JSON.parse(readFileSync(join(root, 'deploy/grafana/gatehouse.json'), 'utf8')) as {
  panels: Panel[];
};
const read = await Promise.all(
  panels.map(async ({ type, title, targets = [], fieldConfig }) => ({
    type,
    title,
    unit: fieldConfig?.defaults.unit ?? '',
    series: (
      await Promise.all(targets.map(({ expr, legendFormat }) => readSeries(expr, legendFormat)))
    ).flat(),
  })),
);
const style = `body{margin:0;padding:12px;background:#0b1017;color:#e6e9ec;font:13px sans-serif;display:grid;grid-template-columns:repeat(18,1fr);gap:8px;width:1400px}
section{grid-column:span 6;overflow:hidden;background:#111922;border-radius:6px;padding:8px;min-width:0}.stat{grid-column:span 3}.row{grid-column:1/-1;background:none;padding:6px 0 0}
h2{margin:0 0 4px;font-size:13px;font-weight:600}b{font-size:28px;color:#86d9b7}p{margin:2px 0;font-size:11px;line-height:1.4}span{margin-inline-end:6px;white-space:nowrap}`;
const browser = await chromium.launch({
  executablePath: findChromium() ?? '',
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage({ viewport: { width: 1424, height: 900 } });
await page.setContent(`<!doctype html><style>${readFileSync(join(uplot, 'uPlot.min.css'))}${style}</style>`);
await page.addScriptTag({ path: join(uplot, 'uPlot.iife.min.js') });
await page.evaluate(`(${draw})(${JSON.stringify(read)}, ${start}, ${end}, ${STEP_S})`);
await page.screenshot({ path: file, fullPage: true, ...(file.endsWith('.jpg') && { quality: 80 }) });
await browser.close();

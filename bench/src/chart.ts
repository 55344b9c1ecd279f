import type { ComparisonResult } from './measure.ts';
import { ratioOf } from './statistics.ts';

const ROW = 18;
const LEFT = 260;
const WIDTH = 520;
const COLOURS: Record<string, string> = { gatehouse: '#2f6f4f', baseline: '#9aa5b1', 'node:http': '#9aa5b1' };
const OTHER = '#c9a227';

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Draws each candidate's rate relative to the first of its comparison, each comparison on its own scale. */
export function barChart(results: readonly ComparisonResult[]): string {
  const bars = results.flatMap((result) => {
    const base = result.figures[0]?.rates ?? [];
    const ratios = result.figures.map(({ name, rates }) => ({ name, ratio: ratioOf(rates, base).median }));
    const most = Math.max(1, ...ratios.map(({ ratio }) => ratio));
    return ratios.map(({ name, ratio }) => ({
      label: `${result.route} (${result.data}): ${name}`,
      length: Math.max(1, (ratio / most) * WIDTH),
      text: ratio.toFixed(2),
      colour: COLOURS[name] ?? OTHER,
    }));
  });
  const height = bars.length * ROW + 20;
  const shapes = bars.map(({ label, length, text, colour }, index) => {
    const y = 10 + index * ROW;
    return [
      `<text x="${LEFT - 8}" y="${y + 12}" text-anchor="end">${escaped(label)}</text>`,
      `<rect x="${LEFT}" y="${y + 2}" width="${length.toFixed(1)}" height="${ROW - 5}" fill="${colour}"/>`,
      `<text x="${LEFT + length + 6}" y="${y + 12}">${text}</text>`,
    ].join('');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${LEFT + WIDTH + 80}" height="${height}"`,
    ` font-family="sans-serif" font-size="11" role="img" aria-label="Rates beside each other">`,
    '<rect width="100%" height="100%" fill="white"/>',
    ...shapes,
    '</svg>',
  ].join('\n');
}

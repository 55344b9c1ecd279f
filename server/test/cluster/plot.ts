import type { RunResult } from './run.ts';
import { type CompletedRequest, endOf, kinds } from './timeline.ts';

const LEFT = 64;
const RIGHT = 96;
const HEIGHT = 700;
const RATE = { top: 176, bottom: 416 };
const FAILED = { top: 456, bottom: 536 };
const MEMORY = { top: 576, bottom: 646 };
const SECOND_MS = 1000;
const NARROWEST = 1280;
const PER_FAULT = 18;
const LABEL = 13;

const colours = {
  login: '#4e79a7',
  check: '#76b7b2',
  list: '#9c9ede',
  enter: '#59a14f',
  chat: '#f2b447',
  register: '#e58fb1',
  withdraw: '#a0693f',
  failed: '#d6394c',
  memory: '#6b5b95',
};

interface Panel {
  readonly top: number;
  readonly bottom: number;
}

/**
 * Plots the run: good answers per second by kind, failures and memory, with marks for the faults. Rates are averages over `binMs`.
 */
export function plot(
  { requests, windows, memory }: Pick<RunResult, 'requests' | 'windows' | 'memory'>,
  title: string,
  binMs = SECOND_MS,
): string {
  const end = Math.max(binMs, endOf(requests));
  const width = Math.max(NARROWEST, LEFT + RIGHT + PER_FAULT * windows.length);
  const x = (time: number) => LEFT + ((width - LEFT - RIGHT) * time) / end;
  const bins = Math.ceil(end / binMs);
  const perSecond = (wanted: (request: CompletedRequest) => boolean) => {
    const counts = new Array<number>(bins).fill(0);
    for (const request of requests.filter(wanted)) {
      const bin = Math.min(bins - 1, Math.floor(request.to / binMs));
      counts[bin] = (counts[bin] ?? 0) + SECOND_MS / binMs;
    }
    return counts;
  };

  const good = kinds.map((kind) => perSecond((each) => each.kind === kind && each.outcome === 'ok'));
  const totals = good.reduce((sum, counts) => sum.map((each, bin) => each + (counts[bin] ?? 0)));
  const failed = perSecond(({ outcome }) => outcome !== 'ok');
  const most = nice(Math.max(...totals));
  const mostFailed = nice(Math.max(4, ...failed));
  const mostMemory = nice(Math.max(1, ...memory.map(({ megabytes }) => megabytes)));

  let below = new Array<number>(bins).fill(0);
  const areas = kinds.map((kind, index) => {
    const lower = below;
    below = lower.map((each, bin) => each + (good[index]?.[bin] ?? 0));
    const at = (bin: number) => x((bin + 0.5) * binMs).toFixed(1);
    const upper = below.map((value, bin) => `${at(bin)},${y(RATE, value, most)}`);
    const back = lower.map((value, bin) => `${at(bin)},${y(RATE, value, most)}`).reverse();
    return `<polygon fill="${colours[kind]}" points="${[...upper, ...back].join(' ')}"/>`;
  });
  const bars = failed.flatMap((count, bin) => {
    if (count === 0) return [];
    const top = y(FAILED, count, mostFailed);
    const wide = Math.max(1, x(binMs) - x(0) - 0.5).toFixed(1);
    return `<rect fill="${colours.failed}" x="${x(bin * binMs).toFixed(1)}" y="${top}" width="${wide}" height="${(FAILED.bottom - Number(top)).toFixed(1)}"/>`;
  });
  const line = memory.map(({ at, megabytes }) => `${x(at).toFixed(1)},${y(MEMORY, megabytes, mostMemory)}`);

  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="#333">`,
    `<rect width="${width}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${LEFT}" y="30" font-size="18" font-weight="600">${title}</text>`,
    ...legend(),
    ...marks(windows, x),
    ...axis(RATE, width, most, 'good answers / s'),
    ...areas,
    ...axis(FAILED, width, mostFailed, 'not answered well / s'),
    ...bars,
    ...axis(MEMORY, width, mostMemory, 'memory of the service, MB'),
    `<polyline fill="none" stroke="${colours.memory}" stroke-width="1.5" points="${line.join(' ')}"/>`,
    ...clock(end, x),
    '</svg>',
  ].join('\n');
}

const y = ({ top, bottom }: Panel, value: number, most: number) =>
  (bottom - ((bottom - top) * value) / most).toFixed(1);

/** Rounds up to the next round number. */
function nice(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((step) => step * unit >= value) ?? 10) * unit;
}

function legend(): string[] {
  return kinds.map(
    (kind, index) =>
      `<rect x="${LEFT + index * 92}" y="44" width="11" height="11" rx="2" fill="${colours[kind]}"/><text x="${LEFT + 16 + index * 92}" y="54">${kind}</text>`,
  );
}

/** Draws a band over the time of each fault, labelled if there is room, and always on hover. */
function marks(windows: RunResult['windows'], x: (time: number) => number): string[] {
  let free = 0;
  return windows.map(({ fault, from, to }, index) => {
    const left = x(from);
    const hasRoom = left - free > LABEL;
    if (hasRoom) free = left;
    const middle = left + 9;
    return [
      `<g><title>${fault}</title>`,
      `<rect x="${left.toFixed(1)}" y="${RATE.top}" width="${(x(to) - left).toFixed(1)}" height="${MEMORY.bottom - RATE.top}" fill="${index % 2 ? '#f4f4f6' : '#e9eaef'}"/>`,
      hasRoom
        ? `<text x="${middle.toFixed(1)}" y="${RATE.top - 6}" font-size="10.5" fill="#666" transform="rotate(-55 ${middle.toFixed(1)} ${RATE.top - 6})">${fault}</text>`
        : '',
      '</g>',
    ].join('');
  });
}

function axis(panel: Panel, width: number, most: number, name: string): string[] {
  const steps = panel.bottom - panel.top > 150 ? 4 : 2;
  const lines = Array.from({ length: steps + 1 }, (_, step) => {
    const height = y(panel, step, steps);
    return `<line x1="${LEFT}" x2="${width - RIGHT}" y1="${height}" y2="${height}" stroke="#000" stroke-opacity="0.1"/><text x="${LEFT - 8}" y="${Number(height) + 4}" text-anchor="end" fill="#777" font-size="11">${(most * step) / steps}</text>`;
  });
  return [
    ...lines,
    `<text x="${LEFT}" y="${panel === RATE ? panel.top + 14 : panel.top - 9}" dx="4" font-weight="600" fill="#444">${name}</text>`,
  ];
}

function clock(end: number, x: (time: number) => number): string[] {
  const seconds = end / 1000;
  const step = [10, 15, 30, 60, 120, 300, 600, 1200].find((each) => seconds / each <= 14) ?? 3600;
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, index) => {
    const time = index * step;
    const text = `${Math.floor(time / 60)}:${String(time % 60).padStart(2, '0')}`;
    return `<text x="${x(time * 1000).toFixed(1)}" y="${MEMORY.bottom + 22}" text-anchor="middle" fill="#777" font-size="11">${text}</text>`;
  });
}

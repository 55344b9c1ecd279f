import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export interface Series {
  readonly label: string;
  readonly values: readonly (number | null)[];
  /** Distinguished by more than colour: only the first is filled, `limit` is dashed. */
  readonly kind: 'main' | 'second' | 'limit';
}

/** Blue, orange and grey of graded lightness, distinguishable with every kind of colour blindness. */
const colours = { main: '#7db8ee', second: '#f2b65c', limit: '#93a0ac' };

/** Counts are integers. */
const WHOLE_STEPS = Array.from({ length: 13 }, (_, zeros) =>
  [1, 2, 5].map((step) => step * 10 ** zeros),
).flat();

interface PlotParts {
  readonly x: readonly number[];
  readonly series: readonly Series[];
  readonly timeZone: string;
  readonly height: number;
  readonly bars: boolean;
  /** Draws the segment to the last point dashed and without fill, because it is not complete yet. */
  readonly unfinished: boolean;
  readonly labelOf: (x: number) => string;
  readonly onCursor: (index: number | null, left: number) => void;
}

export function drawPlot(root: HTMLElement, parts: PlotParts): uPlot {
  const { x, height, bars, labelOf, onCursor } = parts;
  const series = parts.unfinished ? parts.series.flatMap(splitLast) : parts.series.map(asDrawn);
  const axis = { stroke: '#93a0ac', font: '11px system-ui, sans-serif', ticks: { show: false } };
  const options: uPlot.Options = {
    width: root.clientWidth,
    height,
    legend: { show: false },
    padding: [8, 12, 0, 0],
    cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, ...(bars && { range: (_, min, max) => [min - 0.6, max + 0.6] }) },
      y: { range: (_, __, max) => [0, Math.max(1, max * 1.08)] },
    },
    axes: [
      {
        ...axis,
        size: 26,
        gap: 4,
        grid: { show: false },
        values: (_, splits) => splits.map((at) => (Number.isInteger(at) ? labelOf(at) : '')),
      },
      {
        ...axis,
        size: 48,
        incrs: WHOLE_STEPS,
        grid: { stroke: '#1d2935', width: 1 },
        values: (_, splits) => splits.map(short),
      },
    ],
    series: [{}, ...series.map((each) => lineOf(each, bars))],
    hooks: { setCursor: [({ cursor }) => onCursor(cursor.idx ?? null, cursor.left ?? 0)] },
  };
  return new uPlot(options, [[...x], ...series.map(({ values }) => [...values])] as uPlot.AlignedData, root);
}

interface DrawnSeries extends Series {
  readonly dashed: boolean;
}

const asDrawn = (series: Series): DrawnSeries => ({ ...series, dashed: false });

/** Splits off the segment to the last point. A limit is the same for every point and stays whole. */
function splitLast(series: Series): DrawnSeries[] {
  if (series.kind === 'limit') return [asDrawn(series)];
  const last = series.values.length - 1;
  return [
    { ...series, values: series.values.map((value, index) => (index < last ? value : null)), dashed: false },
    {
      ...series,
      values: series.values.map((value, index) => (index < last - 1 ? null : value)),
      dashed: true,
    },
  ];
}

function lineOf({ label, kind, dashed }: DrawnSeries, bars: boolean): uPlot.Series {
  const stroke = colours[kind];
  if (dashed) return { label, stroke, width: 2, dash: [3, 4], points: { show: false } };
  if (kind === 'limit') return { label, stroke, width: 1.5, dash: [5, 4], points: { show: false } };
  if (bars && kind === 'main') {
    const paths = uPlot.paths.bars?.({ size: [0.7, 40], radius: 0.15 });
    return { label, stroke, fill: `${stroke}cc`, width: 0, points: { show: false }, ...(paths && { paths }) };
  }
  return {
    label,
    stroke,
    width: 2,
    points: { show: false },
    ...(kind === 'main' && { fill: `${stroke}1f` }),
  };
}

const short = (value: number) =>
  value >= 1e6 ? `${value / 1e6}M` : value >= 1e3 ? `${value / 1e3}k` : String(value);

import { count } from './summary.ts';

export interface ProgressParts {
  readonly out: { readonly isTTY?: boolean; write(text: string): unknown };
  readonly rows: () => number;
  /** The part of the source that has been read, from 0 to 1. */
  readonly fraction: () => number;
}

const TTY_MS = 200;
const LINE_MS = 1000;
const BAR = 24;

/** Shows a bar on a terminal, or a line per second elsewhere. Returns a function that ends it. */
export function showProgress({ out, rows, fraction }: ProgressParts): () => void {
  const started = performance.now();
  const first = rows();

  const line = () => {
    const seconds = (performance.now() - started) / 1000;
    const share = fraction();
    const rate = Math.round((rows() - first) / seconds);
    const left = share > 0 ? ` ETA ${clock((seconds * (1 - share)) / share)}` : '';
    return `${Math.floor(share * 100)}%  ${count(rows())} rows  ${count(rate)} rows/s ${left}`;
  };
  const bar = () => {
    const filled = Math.round(fraction() * BAR);
    return `[${'#'.repeat(filled)}${' '.repeat(BAR - filled)}] ${line()}`;
  };
  const show = out.isTTY ? () => out.write(`\r\u001b[K${bar()}`) : () => out.write(`${line()}\n`);
  const timer = setInterval(show, out.isTTY ? TTY_MS : LINE_MS);
  return () => {
    clearInterval(timer);
    if (out.isTTY) out.write('\r\u001b[K');
  };
}

function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

import type { Progress } from './run.ts';

/** Shows a bar on a terminal, a line per fault elsewhere. */
export function showProgress(title: string): (progress: Progress) => void {
  const started = Date.now();
  return ({ injected, of, fault, acknowledged, failed }) => {
    const filled = '█'.repeat((25 * injected) / of).padEnd(25, '░');
    const seconds = Math.round((Date.now() - started) / 1000);
    const line = `${title} ${filled} ${injected}/${of}  ${acknowledged} writes  ${failed} not answered well  ${seconds} s  ${fault}`;
    const { isTTY, columns = 120 } = process.stderr;
    if (!isTTY) process.stderr.write(`${line}\n`);
    else process.stderr.write(`\r\x1b[K${line.slice(0, columns - 1)}${injected === of ? '\n' : ''}`);
  };
}

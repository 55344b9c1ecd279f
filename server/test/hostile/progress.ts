/** Prints a line every five per cent. */
export function showPercent(name: string, all: number): (done: number) => void {
  let shown = 0;
  return (done) => {
    const percent = Math.floor((20 * done) / all) * 5;
    if (percent === shown) return;
    shown = percent;
    process.stderr.write(`${name}: ${percent} %\n`);
  };
}

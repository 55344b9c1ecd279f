/** The exit status that shells report for an interrupted program. */
export const INTERRUPTED = 130;

/** Requests a stop after the current batch. A second signal ends the process at once. */
export function listenForInterruption(): { requested: () => boolean; close: () => void } {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  let requested = false;
  const close = () => {
    for (const signal of signals) process.off(signal, ask);
  };
  const ask = () => {
    requested = true;
    close();
  };
  for (const signal of signals) process.on(signal, ask);
  return { requested: () => requested, close };
}

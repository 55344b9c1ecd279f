/** What a shell reports for a program that was interrupted. */
export const INTERRUPTED = 130;

/** Asks for a stop after the batch under way; a second signal ends the process at once, as usual. */
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

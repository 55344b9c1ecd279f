export interface Repeating {
  /** No further round; resolves when the one under way is over. */
  close(): Promise<void>;
}

/** Does a round at once and again every so often, each some time after the one before. A round must not reject. */
export function repeatedly(everyMs: number, round: () => Promise<void>): Repeating {
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  function run(): void {
    running = round().then(() => {
      if (!closed) timer = setTimeout(run, everyMs).unref();
    });
  }

  run();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      return running;
    },
  };
}

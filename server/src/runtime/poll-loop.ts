export interface PollLoop {
  /** Stops polling. Resolves when the current poll has ended. */
  close(): Promise<void>;
}

/** Polls at once or after `firstAfterMs`, and again `intervalMs` after each poll has ended. A poll must not reject. */
export function pollLoop(intervalMs: number, poll: () => Promise<void>, firstAfterMs = 0): PollLoop {
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  function run(): void {
    running = poll().then(() => {
      if (!closed) timer = setTimeout(run, intervalMs).unref();
    });
  }

  if (firstAfterMs > 0) timer = setTimeout(run, firstAfterMs).unref();
  else run();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      return running;
    },
  };
}

import { onScopeDispose } from 'vue';

/**
 * Repeats an action while the page is visible, and immediately when it becomes visible or online again. A pause of null means not
 * now; `schedule` asks for the pause again.
 */
export function usePolling(action: () => Promise<void>, pauseSeconds: () => number | null) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let disposed = false;

  function schedule() {
    clearTimeout(timer);
    const seconds = pauseSeconds();
    if (disposed || seconds === null || document.visibilityState !== 'visible') return;
    timer = setTimeout(run, seconds * 1000);
  }

  async function run() {
    await action();
    schedule();
  }

  const runNow = () => {
    if (document.visibilityState === 'visible' && pauseSeconds() !== null) void run();
  };

  document.addEventListener('visibilitychange', runNow);
  addEventListener('online', runNow);
  onScopeDispose(() => {
    disposed = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', runNow);
    removeEventListener('online', runNow);
  });
  schedule();
  return { schedule };
}

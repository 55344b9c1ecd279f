import { onScopeDispose } from 'vue';

/** Repeats an action while the page is seen; a page in the background rests. A pause of null means not now. */
export function useRefresh(action: () => Promise<void>, pause: () => number | null) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over = false;

  function plan() {
    clearTimeout(timer);
    const seconds = pause();
    if (over || seconds === null || document.visibilityState !== 'visible') return;
    timer = setTimeout(run, seconds * 1000);
  }

  async function run() {
    await action();
    plan();
  }

  const seenAgain = () => {
    if (document.visibilityState === 'visible' && pause() !== null) void run();
  };

  document.addEventListener('visibilitychange', seenAgain);
  onScopeDispose(() => {
    over = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', seenAgain);
  });
  plan();
  return { plan };
}

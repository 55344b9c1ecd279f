import { computed, onScopeDispose, ref } from 'vue';

/** Counts down the seconds until a deadline. Uses the clock, so that a suspended phone does not lag behind. */
export function useCountdown(now: () => number = Date.now) {
  const deadline = ref(0);
  const time = ref(now());
  let timer: ReturnType<typeof setInterval> | undefined;

  const left = computed(() => Math.max(0, Math.ceil((deadline.value - time.value) / 1000)));

  function stop() {
    clearInterval(timer);
    timer = undefined;
  }

  function start(seconds: number) {
    time.value = now();
    deadline.value = time.value + seconds * 1000;
    timer ??= setInterval(() => {
      time.value = now();
      if (left.value === 0) stop();
    }, 1000);
  }

  onScopeDispose(stop);
  return { left, start };
}

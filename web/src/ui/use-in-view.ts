import { onScopeDispose, type Ref, ref, watch } from 'vue';

/** Whether an element is on the screen; true until known. */
export function useInView(element: Readonly<Ref<HTMLElement | null>>): Readonly<Ref<boolean>> {
  const inView = ref(true);
  const observer = new IntersectionObserver(([entry]) => {
    inView.value = entry?.isIntersecting ?? true;
  });
  watch(
    element,
    (now) => {
      observer.disconnect();
      inView.value = true;
      if (now) observer.observe(now);
    },
    { flush: 'post', immediate: true },
  );
  onScopeDispose(() => observer.disconnect());
  return inView;
}

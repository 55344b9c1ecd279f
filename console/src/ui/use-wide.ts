import { onScopeDispose, ref } from 'vue';

/** Whether there is room for a side rail; a phone has a bar at the bottom. */
export function useWide() {
  const media = matchMedia('(width >= 48rem)');
  const wide = ref(media.matches);
  const update = () => {
    wide.value = media.matches;
  };
  media.addEventListener('change', update);
  onScopeDispose(() => media.removeEventListener('change', update));
  return wide;
}

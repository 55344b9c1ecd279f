import { onScopeDispose, ref } from 'vue';

export function useOnline() {
  const online = ref(navigator.onLine);
  const update = () => {
    online.value = navigator.onLine;
  };
  addEventListener('online', update);
  addEventListener('offline', update);
  onScopeDispose(() => {
    removeEventListener('online', update);
    removeEventListener('offline', update);
  });
  return online;
}

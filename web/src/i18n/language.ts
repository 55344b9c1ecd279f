import { computed, ref } from 'vue';
import { forThisBrowser } from '../ui/browser-storage.ts';

export const languages = ['zh-CN', 'en'] as const;
export type Language = (typeof languages)[number];

const kept = forThisBrowser('gatehouse.language');
const current = ref<Language>(chosen() ?? preferred(navigator.languages));

export const language = computed(() => current.value);

export function speak(next: Language) {
  current.value = next;
  kept.write(next);
}

/** The first language the browser wants that we speak, whatever its region; English if it wants none of ours. */
export function preferred(wanted: readonly string[]): Language {
  const first = wanted.map((tag) => tag.toLowerCase()).find((tag) => /^(zh|en)\b/.test(tag));
  return first?.startsWith('zh') ? 'zh-CN' : 'en';
}

function chosen(): Language | undefined {
  const stored = kept.read();
  return languages.find((one) => one === stored);
}

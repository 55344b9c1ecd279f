const KEY = 'gatehouse.language';

/** Returns the language chosen on the platform's own pages, else the browser's. */
function chosen() {
  try {
    const kept = localStorage.getItem(KEY);
    if (kept === 'en' || kept === 'zh-CN') return kept;
  } catch {
    // Storage may be forbidden; fall back to the browser's language.
  }
  const first = navigator.languages.find((tag) => /^(zh|en)\b/i.test(tag)) ?? 'en';
  return /^zh/i.test(first) ? 'zh-CN' : 'en';
}

/** Returns texts by key with `{name}` filled in; `speak` fills every element that has a `data-text`. */
export function speaker(texts) {
  let language = chosen();

  const say = (key, values = {}) =>
    texts[language][key].replaceAll(/\{(\w+)\}/g, (_, name) => String(values[name]));

  function speak(next = language) {
    language = next;
    document.documentElement.lang = next;
    for (const element of document.querySelectorAll('[data-text]'))
      element.textContent = say(element.dataset.text);
    for (const element of document.querySelectorAll('[data-label]'))
      element.setAttribute('aria-label', say(element.dataset.label));
  }

  function keep(next) {
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    speak(next);
  }

  return {
    say,
    speak,
    get language() {
      return language;
    },
    other: () => keep(language === 'en' ? 'zh-CN' : 'en'),
  };
}

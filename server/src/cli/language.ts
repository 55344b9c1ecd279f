/**
 * Texts in another language, keyed by the English ones. `{name}` stands for a value, `{part}` for a value that may have a
 * translation, and `{text}` for one that must have one, or the entry does not apply.
 */
export type Catalogue = Readonly<Record<string, string>>;

type Translate = (text: string) => string | undefined;

let translate: Translate | undefined;

/** Returns a text for people in their language, or as it is if there is no translation. */
export const say = (text: string): string => translate?.(text) ?? text;

export const isChinese = () => translate !== undefined;

/** Chooses the language by `--lang`, else by the locale of the environment, and loads its texts. */
export async function useLanguage(
  named: string | undefined,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const locale = named ?? (env.LC_ALL || env.LC_MESSAGES || env.LANG || '');
  if (!/^zh/i.test(locale)) return;
  const { default: catalogue } = await import('./zh-cn.json', { with: { type: 'json' } });
  translate = translatorOf(catalogue);
}

export function translatorOf(catalogue: Catalogue): Translate {
  const texts = new Map(Object.entries(catalogue));
  // The pattern with most of its own words is the most specific one.
  const patterns = [...texts]
    .filter(([english]) => english.includes('{'))
    .map(([english, translation]) => ({ ...compile(english), translation }))
    .sort((a, b) => b.weight - a.weight);

  function lookUp(text: string): string | undefined {
    const exact = texts.get(text);
    if (exact !== undefined) return exact;
    for (const { pattern, names, translation } of patterns) {
      const values = pattern.exec(text)?.slice(1);
      if (!values) continue;
      const shown = values.map((value, index) => valueFor(names[index] ?? '', value));
      if (shown.includes(undefined)) continue;
      return translation.replaceAll(/\{(\w+)\}/g, (_, name: string) => shown[names.indexOf(name)] ?? '');
    }
    return undefined;
  }

  function valueFor(name: string, value: string): string | undefined {
    if (value === '' || !/^(?:text|part)\d?$/.test(name)) return value;
    const translated = lookUp(value);
    return name.startsWith('part') ? (translated ?? value) : translated;
  }

  return lookUp;
}

/** Compiles `{name} is banned` to a pattern. A text that directly follows a value is empty or starts with punctuation. */
function compile(english: string): { pattern: RegExp; names: string[]; weight: number } {
  const parts = english.split(/\{(\w+)\}/);
  const words = parts.filter((_, index) => index % 2 === 0);
  const names = parts.filter((_, index) => index % 2 === 1);
  const groups = names.map((_, index) => (index > 0 && words[index] === '' ? '((?:[;,: \\n].*)?)' : '(.*?)'));
  const source = words.map((each, index) => RegExp.escape(each) + (groups[index] ?? '')).join('');
  return { pattern: new RegExp(`^${source}$`, 's'), names, weight: words.join('').length };
}

type Texts = { readonly [key: string]: Found };
type Found = string | ((...args: never[]) => string) | Texts;

/** Finds a text by its path. Codes of the contract such as `player.ban` are keys that contain a dot. */
export function textAt(texts: unknown, path: string): Found | null {
  if (texts === null || typeof texts !== 'object') return null;
  const here = texts as Texts;
  if (Object.hasOwn(here, path)) return here[path] ?? null;
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot);
    const found = Object.hasOwn(here, head) ? textAt(here[head], path.slice(dot + 1)) : null;
    if (found !== null) return found;
  }
  return null;
}

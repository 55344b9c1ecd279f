import { dirname, join, normalize } from 'node:path';

/** The language-independent content of a section, which must be the same in every language. */
export interface Section {
  readonly heading: string;
  readonly level: number;
  readonly blocks: readonly string[];
  readonly names: readonly string[];
  readonly numbers: readonly string[];
  readonly shape: readonly string[];
  readonly links: readonly string[];
  readonly markers: readonly string[];
}

const FENCE = /^( *)```([^\n]*)\n([\s\S]*?)^ *```$/gm;
const LINK = /\]\(([^)\s]+)\)|<(https?:[^>\s]+)>/g;
const NAME = /`([^`]*)`/g;
const MARKER = /<!--[\s\S]*?-->/g;

/** Comments inside a block, by its language. Sample answers do not count. */
const comments: Record<string, RegExp> = {
  sh: /(?:^|\s+)#(?! \{).*$/gm,
  toml: /(?:^|\s+)#.*$/gm,
  sql: /\s*-- .*$/gm,
  c: /\s*\/\*.*?\*\//gm,
  diagram: /(?<=── ).+?(?= ──)/gm,
};

export function sectionsOf(page: string): Section[] {
  const fences: string[] = [];
  const masked = page.replace(FENCE, (_, indent: string, info: string, code: string) => {
    const [language = ''] = info.split(' ');
    const dedented = code.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    fences.push(`${info}\n${dedented.replace(comments[language] ?? /(?!)/g, '')}`);
    return '```';
  });
  let next = 0;
  return masked.split(/^(?=#{1,6} )/m).map((text) => {
    const [title = ''] = text.split('\n', 1);
    const count = text.match(/^```$/gm)?.length ?? 0;
    const blocks = fences.slice(next, next + count);
    next += count;
    return { level: title.match(/^#*/)?.[0].length ?? 0, heading: title, blocks, ...namesAndNumbers(text) };
  });
}

function namesAndNumbers(text: string) {
  const bare = text.replace(/^```$/gm, '');
  const prose = bare.replace(MARKER, '').replace(NAME, '').replace(LINK, ']');
  return {
    names: unique([...bare.matchAll(NAME)].map(([, name = '']) => name.replaceAll(/\s+/g, ' '))),
    numbers: unique(prose.match(/\d+(?:[.,:]\d+)*/g) ?? []),
    shape: shapeOf(text.replace(MARKER, '')),
    links: linksOf(bare),
    markers: bare.match(MARKER) ?? [],
  };
}

/** Returns the sequence of paragraphs, list items, table rows and blocks under a heading, regardless of line wrapping. */
function shapeOf(text: string): string[] {
  const [, ...lines] = text.split('\n');
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    if (line === '```') return ['block'];
    if (/^ *\|/.test(line)) return ['row'];
    if (/^ *(?:[-*]|\d+\.) /.test(line)) return ['item'];
    const before = lines[index - 1]?.trim() ?? '';
    return before === '' || before === '```' ? ['paragraph'] : [];
  });
}

export const linksOf = (text: string): string[] =>
  [...text.matchAll(LINK)].map(([, target, address]) => target ?? address ?? '');

const unique = (values: readonly string[]) => [...new Set(values)].sort();

/** Returns the file and heading of a link; undefined if it leaves the repository. */
export function targetOf(page: string, link: string): { file: string; anchor: string } | undefined {
  if (/^(?:https?|mailto):/.test(link)) return undefined;
  const [path = '', anchor = ''] = link.split('#');
  return { file: path ? normalize(join(dirname(page), path)) : page, anchor: decodeURIComponent(anchor) };
}

/** Returns the anchors of a page's headings, as GitHub generates them. */
export const anchorsOf = (page: string): string[] =>
  sectionsOf(page).map(({ heading }) =>
    heading
      .replace(/^#+ /, '')
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

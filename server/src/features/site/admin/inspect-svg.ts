import { isUtf8 } from 'node:buffer';
import { Refusal } from '../../../refusal.ts';

/** Shapes, text and gradients. Nothing that runs, moves, loads, repeats other elements or embeds another language. */
const ELEMENTS = new Set(
  'svg g defs title desc path rect circle ellipse line polyline polygon text tspan style linearGradient radialGradient stop clipPath mask'.split(
    ' ',
  ),
);

const ATTRIBUTES = new Set(
  `id class style version viewBox width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy d points offset rotate transform
  preserveAspectRatio gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits pathLength
  textLength lengthAdjust fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin
  stroke-miterlimit stroke-dasharray stroke-dashoffset opacity color display visibility overflow clip-path clip-rule mask
  stop-color stop-opacity font-family font-size font-style font-weight font-stretch letter-spacing word-spacing text-anchor
  text-decoration dominant-baseline baseline-shift alignment-baseline writing-mode direction unicode-bidi vector-effect
  shape-rendering text-rendering color-interpolation paint-order enable-background xml:space xml:lang lang role focusable
  aria-label aria-labelledby aria-hidden type data-name href xlink:href xmlns xmlns:xlink`.split(/\s+/),
);

const NAMESPACES: Readonly<Record<string, string>> = {
  xmlns: 'http://www.w3.org/2000/svg',
  'xmlns:xlink': 'http://www.w3.org/1999/xlink',
};

const MAX_ELEMENTS = 5000;
const MAX_SIDE = 4096;
const MAX_DEPTH = 50;
const DECLARATION =
  /^<\?xml version="1\.[01]"(?: encoding="(?:utf|UTF)-8")?(?: standalone="(?:yes|no)")?\s?\?>/;
/** Without angle brackets: readers of HTML end some comments earlier. */
const COMMENT = /<!--(?:[^-<>]|-(?!-))*-->/y;
const OPENING = /<([A-Za-z][\w:.-]*)((?:\s+[A-Za-z][\w:.-]*\s?=\s?(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const CLOSING = /<\/([A-Za-z][\w:.-]*)\s*>/y;
const ATTRIBUTE = /\s+([A-Za-z][\w:.-]*)\s?=\s?(?:"([^"<]*)"|'([^'<]*)')/gy;
/** Only named characters: a numeric one could hide a word that is looked for below. */
const OTHER_ENTITY = /&(?!(?:amp|lt|gt|quot|apos);)/;

const refused = (what: string) => new Refusal('file_refused', { variant: 'svg', params: { what } });

/**
 * Reads a small subset of XML strictly. Refuses everything that is not in the lists above, so that no other parser can find more
 * in the file. Returns the size that the file states, or 0 × 0.
 */
export function inspectSvg(file: Buffer): { width: number; height: number } {
  if (!isUtf8(file)) throw refused('not UTF-8');
  const text = file.toString('utf8');
  if (/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/u.test(text)) throw refused('a control character');
  const open: string[] = [];
  let size: { width: number; height: number } | undefined;
  let elements = 0;
  let at = DECLARATION.exec(text)?.[0].length ?? 0;
  while (at < text.length) {
    if (text[at] !== '<') at = endOfText(text, at, open.at(-1));
    else if (text.startsWith('<!--', at)) at = match(COMMENT, text, at).end;
    else if (text.startsWith('</', at)) {
      const { parts, end } = match(CLOSING, text, at);
      if (parts[1] !== open.pop()) throw refused('not well-formed');
      at = end;
    } else {
      const { parts, end } = match(OPENING, text, at);
      const [, name = '', given = '', selfClosing] = parts;
      elements += 1;
      if (!ELEMENTS.has(name)) throw refused(`<${name.slice(0, 40)}>`);
      const isRoot = open.length === 0;
      if (isRoot !== (name === 'svg') || (isRoot && size)) throw refused('not well-formed');
      const attributes = attributesIn(given);
      if (isRoot && attributes.get('xmlns') !== NAMESPACES.xmlns) throw refused('no xmlns');
      size ??= sizeOf(attributes);
      if (!selfClosing) open.push(name);
      if (open.length > MAX_DEPTH || elements > MAX_ELEMENTS) throw refused('too many elements');
      at = end;
    }
  }
  if (open.length > 0 || !size) throw refused('not well-formed');
  return size;
}

function match(pattern: RegExp, text: string, at: number) {
  pattern.lastIndex = at;
  const parts = pattern.exec(text);
  // Also refuses a doctype, a processing instruction and CDATA, which the pattern does not match.
  if (!parts)
    throw refused(
      text.startsWith('<!', at) || text.startsWith('<?', at) ? text.slice(at, at + 9) : 'not well-formed',
    );
  return { parts, end: pattern.lastIndex };
}

/** Checks the text up to the next tag. Outside the root there is only white space. */
function endOfText(text: string, at: number, within: string | undefined): number {
  const next = text.indexOf('<', at);
  const end = next === -1 ? text.length : next;
  const content = text.slice(at, end);
  if (OTHER_ENTITY.test(content) || content.includes(']]>')) throw refused('an entity');
  if (within === undefined && content.trim() !== '') throw refused('not well-formed');
  if (within === 'style') refuseStyle(content);
  return end;
}

function attributesIn(given: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single] of given.matchAll(ATTRIBUTE)) {
    const value = double ?? single ?? '';
    const shown = name.slice(0, 40);
    if (!ATTRIBUTES.has(name) || attributes.has(name)) throw refused(`the attribute ${shown}`);
    if (OTHER_ENTITY.test(value)) throw refused('an entity');
    if (name.startsWith('xmlns') && value !== NAMESPACES[name]) throw refused(`the attribute ${shown}`);
    if (name.endsWith('href') && !/^#[\w.-]+$/.test(value)) throw refused('a reference to elsewhere');
    if (name === 'type' && value !== 'text/css') throw refused('another style language');
    refuseReferences(value);
    if (name === 'style') refuseStyle(value);
    attributes.set(name, value);
  }
  return attributes;
}

/**
 * Refuses references to anything but this file. A backslash could hide one of these words. Some functions of CSS take an address
 * as plain text, and `mask` takes them as an attribute.
 */
function refuseReferences(text: string): void {
  const elsewhere = text.replaceAll(/url\((?:#[\w.-]+|'#[\w.-]+'|&quot;#[\w.-]+&quot;)\)/g, '');
  if (/(?:url|src)\s*\(|image(?:-set)?\(|cross-fade\(|\\|javascript|data:/i.test(elsewhere))
    throw refused('a reference to elsewhere');
}

/** Refuses styles that load something: imports, fonts, images. */
function refuseStyle(text: string): void {
  refuseReferences(text);
  if (/@|image|expression|behaviou?r|binding|\/\*/i.test(text)) throw refused('a style that loads something');
}

/** Reads the size from width and height in pixels, else from the viewBox, whose units may be smaller than pixels. */
function sizeOf(attributes: ReadonlyMap<string, string>): { width: number; height: number } {
  const [, , ...box] = (attributes.get('viewBox') ?? '').split(/[\s,]+/).map(Number);
  const scale = Math.min(1, MAX_SIDE / Math.max(...box, 1));
  const length = (name: string, other: number | undefined) => {
    const stated = /^\d{1,7}(?:\.\d{1,9})?(?=(?:px)?$)/.exec(attributes.get(name) ?? '')?.[0];
    const pixels = stated === undefined ? (other ?? 0) * scale : Number(stated);
    return Number.isFinite(pixels) && pixels > 0 ? Math.round(pixels) : 0;
  };
  return { width: length('width', box[0]), height: length('height', box[1]) };
}

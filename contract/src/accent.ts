/** Background of the pages' panels (`--ink-raised` in web/src/ui/base.css). On lighter ones the pages use `--amber-high`. */
export const pageGround = '#131c26';

/** Least contrast of an accent on that background, so that links are readable (WCAG 2, level AA). */
export const minAccentContrast = 4.5;

const LIGHT = '#ffffff';
const DARK = '#080c12';

/** Returns the contrast of two colours `#rrggbb` as WCAG 2 defines it: 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Returns the colour of text on a button in the accent: white or dark, whichever reads better. */
export function textOn(accent: string): string {
  return contrastOf(accent, LIGHT) > contrastOf(accent, DARK) ? LIGHT : DARK;
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

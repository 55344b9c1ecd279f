/** Brightest shade (0 to 255) on which the colour of text has a contrast of 4.5. */
const READABLE = 107;
/** Shade of the scrim. */
const DARK = 12;
const LEAST = 0.25;
const MOST = 0.64;
const SAMPLE = 32;
/** Share of the pixels that must be readable; the rest is highlights. */
const SHARE = 0.97;

/** Returns how much of the scrim makes text readable on a picture with these pixels (red, green, blue, alpha). */
export function scrimFor(pixels: Uint8ClampedArray): number {
  const shades = Array.from({ length: pixels.length / 4 }, (_, n) => {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(n * 4, n * 4 + 3);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }).sort((a, b) => a - b);
  const bright = shades[Math.floor((shades.length - 1) * SHARE)] ?? 255;
  if (bright <= READABLE) return LEAST;
  return Math.min(MOST, Math.max(LEAST, (bright - READABLE) / (bright - DARK)));
}

/** Returns the pixels of a picture that has loaded, scaled down. */
export function pixelsOf(picture: HTMLImageElement): Uint8ClampedArray | undefined {
  const canvas = document.createElement('canvas');
  canvas.width = SAMPLE;
  canvas.height = SAMPLE;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return undefined;
  context.drawImage(picture, 0, 0, SAMPLE, SAMPLE);
  return context.getImageData(0, 0, SAMPLE, SAMPLE).data;
}

/** Sets the scrim for the operator's picture. Without it the one in base.css is dark enough for any picture. */
export function fitScrim(picture: HTMLImageElement): void {
  const pixels = pixelsOf(picture);
  if (!pixels) return;
  const percent = Math.round(scrimFor(pixels) * 100);
  document.documentElement.style.setProperty('--scrim', `${percent}%`);
}

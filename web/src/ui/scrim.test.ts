import { expect, test } from 'vitest';
import { scrimFor } from './scrim.ts';

const pixels = (...shades: number[]) =>
  new Uint8ClampedArray(shades.flatMap((shade) => [shade, shade, shade, 255]));
const shadeBelow = (shade: number) => {
  const scrim = scrimFor(pixels(shade, shade, shade));
  return shade * (1 - scrim) + 12 * scrim;
};

test('when the picture is bright, then the scrim makes it dark enough for text; when it is dark, then little is added', () => {
  for (const shade of [255, 200, 140]) expect(shadeBelow(shade)).toBeLessThanOrEqual(108);
  expect(scrimFor(pixels(20, 20, 30))).toBe(0.25);
});

test('when few pixels of a dark picture are bright, then they do not darken it', () => {
  const night = Array.from({ length: 99 }, () => 10);
  expect(scrimFor(pixels(...night, 255))).toBe(0.25);
});

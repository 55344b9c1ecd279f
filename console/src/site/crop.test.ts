import { expect, test } from 'vitest';
import { frameOf, moved } from './crop.ts';

const middle = { zoom: 1, x: 0.5, y: 0.5 };

test.each([
  ['wider than the shape', { width: 4000, height: 900 }, { left: 1200, top: 0, width: 1600, height: 900 }],
  ['taller than the shape', { width: 1600, height: 2900 }, { left: 0, top: 1000, width: 1600, height: 900 }],
  ['of the shape', { width: 1600, height: 900 }, { left: 0, top: 0, width: 1600, height: 900 }],
])('when a picture is %s, then the frame is its largest part, centred', (_name, picture, frame) => {
  expect(frameOf(picture, 16 / 9, middle)).toEqual(frame);
});

test('when a frame is moved and zoomed, then it stays within the picture', () => {
  const picture = { width: 1600, height: 900 };
  const zoomed = { zoom: 2, x: 0, y: 1 };
  const frame = frameOf(picture, 16 / 9, zoomed);
  expect(frame).toEqual({ left: 0, top: 450, width: 800, height: 450 });
  expect(moved(zoomed, picture, frame, { x: 400, y: -225 })).toEqual({ zoom: 2, x: 0.5, y: 0.5 });
  expect(moved(zoomed, picture, frame, { x: 9000, y: 9000 })).toEqual({ zoom: 2, x: 1, y: 1 });
  expect(moved(zoomed, picture, frame, { x: -9000, y: -9000 })).toEqual({ zoom: 2, x: 0, y: 0 });
});

test('when a frame fills the picture, then it cannot be moved', () => {
  const picture = { width: 1600, height: 900 };
  const frame = frameOf(picture, 16 / 9, middle);
  expect(moved(middle, picture, frame, { x: 50, y: 50 })).toEqual(middle);
});

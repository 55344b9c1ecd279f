/** Part of a picture: the zoom from 1, and its position between the edges, from 0 to 1. */
export interface Crop {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Frame extends Size {
  readonly left: number;
  readonly top: number;
}

/** Shapes of the backgrounds, about those of the pages. Pages of another shape show the middle. */
export const shapes = {
  background_wide: { ratio: 16 / 9, maxWidth: 2560 },
  background_tall: { ratio: 3 / 4, maxWidth: 1440 },
} as const;
export type Background = keyof typeof shapes;

export const isBackground = (name: string): name is Background => Object.hasOwn(shapes, name);

/** The service refuses larger pictures. */
export const MAX_PIXELS = 4096;
export const MAX_ZOOM = 4;
const QUALITIES = [0.86, 0.7, 0.5];

/** Returns the part of a picture in its own pixels. It never reaches over an edge. */
export function frameOf({ width, height }: Size, ratio: number, { zoom, x, y }: Crop): Frame {
  const part = Math.min(width, height * ratio) / zoom;
  const size = { width: part, height: part / ratio };
  return { ...size, left: (width - size.width) * x, top: (height - size.height) * y };
}

/** Moves a part by pixels of the picture. */
export function moved(crop: Crop, { width, height }: Size, frame: Frame, by: { x: number; y: number }): Crop {
  const along = (position: number, distance: number, room: number) =>
    room < 1 ? position : Math.min(1, Math.max(0, position + distance / room));
  return {
    ...crop,
    x: along(crop.x, by.x, width - frame.width),
    y: along(crop.y, by.y, height - frame.height),
  };
}

/** Draws a part of a picture into a file of at most `limit` bytes. Returns null if the browser cannot. */
export async function cropped(
  picture: HTMLImageElement,
  frame: Frame,
  { maxWidth, limit }: { maxWidth: number; limit: number },
): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(Math.min(frame.width, maxWidth)));
  canvas.height = Math.max(1, Math.round((canvas.width * frame.height) / frame.width));
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.imageSmoothingQuality = 'high';
  // JPEG has no transparency: transparent parts get the background of the pages.
  context.fillStyle = '#0a1119';
  context.fillRect(0, 0, canvas.width, canvas.height);
  const { left, top, width, height } = frame;
  context.drawImage(picture, left, top, width, height, 0, 0, canvas.width, canvas.height);
  for (const quality of QUALITIES) {
    const file = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', quality));
    if (file && file.size <= limit) return file;
  }
  return null;
}

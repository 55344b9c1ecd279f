import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import type { PictureType } from '@gatehouse/contract';

/** Reads a sample of server/test/data/pictures, made by a real encoder. */
export const sample = (name: string) => readFileSync(join(import.meta.dirname, '../data/pictures', name));

export const samples: readonly (readonly [name: string, type: PictureType])[] = [
  ['small.png', 'image/png'],
  ['small.jpg', 'image/jpeg'],
  ['progressive.jpg', 'image/jpeg'],
  ['lossy.webp', 'image/webp'],
  ['lossless.webp', 'image/webp'],
  ['alpha.webp', 'image/webp'],
  ['small.avif', 'image/avif'],
  ['alpha.avif', 'image/avif'],
];

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

export function pngChunk(kind: string, data = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  return Buffer.concat([u32(data.length), body, u32(crc32(body))]);
}

export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
export const pngHeader = (width: number, height: number, depth = 8, colour = 0) =>
  pngChunk('IHDR', Buffer.concat([u32(width), u32(height), Buffer.from([depth, colour, 0, 0, 0])]));
export const pngData = () => pngChunk('IDAT', deflateSync(Buffer.alloc(2)));

export const png = (...chunks: Buffer[]) => Buffer.concat([PNG_SIGNATURE, ...chunks]);

type Colour = readonly [red: number, green: number, blue: number];

/** A picture of one colour, or with another one in its right half, that every browser shows. */
export function plainPng(width: number, height: number, colour: Colour, right = colour): Buffer {
  const colourAt = (x: number) => Buffer.from(x < width / 2 ? colour : right);
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: width }, (_, x) => colourAt(x))]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  return png(pngHeader(width, height, 8, 2), pngChunk('IDAT', pixels), pngChunk('IEND'));
}

/** Returns a copy with some bytes replaced. */
export function patched(file: Buffer, at: number, ...bytes: number[]): Buffer {
  const copy = Buffer.from(file);
  copy.set(bytes, at);
  return copy;
}

/** Returns the place right after the first occurrence of a text. */
export const after = (file: Buffer, text: string) => file.indexOf(text, 0, 'latin1') + text.length;

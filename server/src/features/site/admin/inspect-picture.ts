import { crc32 } from 'node:zlib';
import type { PictureType } from '@gatehouse/contract';
import { Refusal } from '../../../refusal.ts';
import { inspectSvg } from './inspect-svg.ts';

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

const MAX_PIXELS = 4096;

/**
 * Each inspector walks the whole structure of a file without decoding it. Bytes before, after or between its parts are refused.
 */
const inspectors: Readonly<Record<PictureType, (file: Buffer) => PictureSize>> = {
  'image/png': inspectPng,
  'image/jpeg': inspectJpeg,
  'image/webp': inspectWebp,
  'image/avif': inspectAvif,
  'image/svg+xml': inspectSvg,
};

/** Returns the size of a picture in pixels, or refuses a file that is not what its type says. */
export function inspectPicture(type: PictureType, file: Buffer): PictureSize {
  try {
    const size = inspectors[type](file);
    if (size.width > MAX_PIXELS || size.height > MAX_PIXELS) throw refused('pixels');
    return size;
  } catch (error) {
    // Reading past the end of the buffer.
    if (error instanceof RangeError) throw refused('damaged');
    throw error;
  }
}

type Fault = 'type' | 'damaged' | 'trailing' | 'pixels' | 'animated';

const refused = (variant: Fault) => new Refusal('file_refused', { variant });

function require(holds: boolean, fault: Fault): void {
  if (!holds) throw refused(fault);
}

const textAt = (file: Buffer, from: number, length: number) => file.toString('latin1', from, from + length);

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Bit depths by colour type. */
const PNG_DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
const PNG_CRITICAL = ['IHDR', 'PLTE', 'IDAT', 'IEND'];

function inspectPng(file: Buffer): PictureSize {
  require(file.subarray(0, 8).equals(PNG_SIGNATURE), 'type');
  let size: PictureSize | undefined;
  let hasData = false;
  for (let at = 8; ; ) {
    const length = file.readUInt32BE(at);
    const kind = textAt(file, at + 4, 4);
    const end = at + 12 + length;
    require(/^[A-Za-z]{4}$/.test(kind) && end <= file.length, 'damaged');
    require(crc32(file.subarray(at + 4, end - 4)) === file.readUInt32BE(end - 4), 'damaged');
    require((size === undefined) === (kind === 'IHDR'), 'damaged');
    if (kind === 'IHDR') size = pngHeader(file.subarray(at + 8, end - 4));
    require(kind !== 'acTL', 'animated');
    // An upper-case first letter marks a critical chunk, which a decoder must understand.
    require(/^[a-z]/.test(kind) || PNG_CRITICAL.includes(kind), 'damaged');
    hasData ||= kind === 'IDAT' && length > 0;
    at = end;
    if (kind !== 'IEND') continue;
    require(length === 0 && hasData && size !== undefined, 'damaged');
    require(at === file.length, 'trailing');
    return size as PictureSize;
  }
}

function pngHeader(header: Buffer): PictureSize {
  require(header.length === 13, 'damaged');
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = header.subarray(8);
  const isKnown = PNG_DEPTHS[colour]?.includes(depth) && compression === 0 && filter === 0 && interlace < 2;
  require(Boolean(isKnown), 'damaged');
  return sizeOf(header.readUInt32BE(0), header.readUInt32BE(4));
}

function sizeOf(width: number, height: number): PictureSize {
  require(width > 0 && height > 0, 'damaged');
  return { width, height };
}

const JPEG = { SOI: 0xd8, EOI: 0xd9, SOS: 0xda, TEM: 0x01 };
/** Baseline, extended and progressive frames with Huffman coding; browsers show no others. */
const JPEG_FRAMES = [0xc0, 0xc1, 0xc2];
const JPEG_OTHER_FRAMES = [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf];

function inspectJpeg(file: Buffer): PictureSize {
  require(file.length > 3 && file[0] === 0xff && file[1] === JPEG.SOI && file[2] === 0xff, 'type');
  let size: PictureSize | undefined;
  let hasScan = false;
  for (let at = 2; ; ) {
    require(file.readUInt8(at) === 0xff, 'damaged');
    // Any number of 0xff may precede a marker.
    while (file.readUInt8(at + 1) === 0xff) at += 1;
    const marker = file.readUInt8(at + 1);
    at += 2;
    if (marker === JPEG.EOI) {
      require(size !== undefined && hasScan, 'damaged');
      require(at === file.length, 'trailing');
      return size as PictureSize;
    }
    const isAlone = marker === 0 || marker === JPEG.TEM || marker === JPEG.SOI || (marker & 0xf8) === 0xd0;
    require(!isAlone && !JPEG_OTHER_FRAMES.includes(marker), 'damaged');
    const end = at + file.readUInt16BE(at);
    require(end >= at + 2 && end <= file.length, 'damaged');
    if (JPEG_FRAMES.includes(marker)) {
      require(size === undefined && end - at >= 8 + 3 * file.readUInt8(at + 7), 'damaged');
      size = sizeOf(file.readUInt16BE(at + 5), file.readUInt16BE(at + 3));
    }
    at = marker === JPEG.SOS ? endOfScan(file, end) : end;
    hasScan ||= marker === JPEG.SOS && size !== undefined;
  }
}

/** Returns where the next marker begins. In coded data 0xff is followed by 0 or a restart marker. */
function endOfScan(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at !== -1; at = file.indexOf(0xff, at + 2)) {
    const next = file.readUInt8(at + 1);
    if (next !== 0 && (next & 0xf8) !== 0xd0) return at;
  }
  throw refused('damaged');
}

function inspectWebp(file: Buffer): PictureSize {
  require(textAt(file, 0, 4) === 'RIFF' && textAt(file, 8, 4) === 'WEBP', 'type');
  const end = file.readUInt32LE(4) + 8;
  require(end <= file.length, 'damaged');
  require(end === file.length, 'trailing');
  let canvas: PictureSize | undefined;
  let frame: PictureSize | undefined;
  for (let at = 12; at < end; ) {
    const kind = textAt(file, at, 4);
    const length = file.readUInt32LE(at + 4);
    require(at + 8 + length <= end, 'damaged');
    const chunk = file.subarray(at + 8, at + 8 + length);
    require(kind !== 'ANIM' && kind !== 'ANMF', 'animated');
    require((kind === 'VP8X') === (at === 12 && length === 10 && kind === 'VP8X'), 'damaged');
    if (kind === 'VP8X') canvas = sizeOf(chunk.readUIntLE(4, 3) + 1, chunk.readUIntLE(7, 3) + 1);
    if (kind === 'VP8 ' || kind === 'VP8L') {
      require(frame === undefined && (canvas !== undefined || at === 12), 'damaged');
      frame = kind === 'VP8L' ? losslessSize(chunk) : lossySize(chunk);
    }
    // Chunks have an even length.
    at += 8 + length + (length & 1);
    require(at <= end, 'damaged');
  }
  require(frame !== undefined, 'damaged');
  const shown = frame as PictureSize;
  require(!canvas || (canvas.width === shown.width && canvas.height === shown.height), 'damaged');
  return shown;
}

function lossySize(chunk: Buffer): PictureSize {
  require(chunk.length > 10 &&
    (chunk.readUInt8(0) & 1) === 0 &&
    chunk.readUIntBE(3, 3) === 0x9d012a, 'damaged');
  return sizeOf(chunk.readUInt16LE(6) & 0x3fff, chunk.readUInt16LE(8) & 0x3fff);
}

function losslessSize(chunk: Buffer): PictureSize {
  require(chunk.length > 5 && chunk.readUInt8(0) === 0x2f, 'damaged');
  const bits = chunk.readUInt32LE(1);
  return sizeOf((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
}

interface Box {
  readonly kind: string;
  readonly content: Buffer;
}

/** Splits ISO base media boxes that must fill the whole range. */
function boxesIn(range: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at < range.length; ) {
    const size = range.readUInt32BE(at);
    // 0 (to the end of the file) and 1 (64 bits) are for larger files.
    require(size >= 8 && at + size <= range.length, 'damaged');
    boxes.push({ kind: textAt(range, at + 4, 4), content: range.subarray(at + 8, at + size) });
    at += size;
  }
  return boxes;
}

/** Returns the one box of this kind. */
function boxOf(boxes: readonly Box[], kind: string): Buffer {
  const [found, ...more] = boxes.filter((box) => box.kind === kind);
  require(found !== undefined && more.length === 0, 'damaged');
  return found?.content ?? Buffer.alloc(0);
}

const AVIF_BOXES = ['ftyp', 'meta', 'mdat', 'free', 'skip', 'idat'];

function inspectAvif(file: Buffer): PictureSize {
  require(textAt(file, 4, 4) === 'ftyp', 'type');
  const boxes = boxesIn(file);
  const brands: readonly string[] = boxOf(boxes, 'ftyp').toString('latin1').match(/.{4}/gs) ?? [];
  require(boxes[0]?.kind === 'ftyp' && brands.includes('avif'), 'type');
  require(!brands.includes('avis') && !boxes.some(({ kind }) => kind === 'moov'), 'animated');
  require(boxes.every(({ kind }) => AVIF_BOXES.includes(kind)), 'damaged');
  // A full box begins with its version and flags.
  const meta = boxesIn(boxOf(boxes, 'meta').subarray(4));
  const properties = boxesIn(boxOf(boxesIn(boxOf(meta, 'iprp')), 'ipco'));
  const sizes = properties
    .filter(({ kind }) => kind === 'ispe')
    .map(({ content }) => sizeOf(content.readUInt32BE(4), content.readUInt32BE(8)));
  require(sizes.length > 0 && properties.some(({ kind }) => kind === 'av1C'), 'damaged');
  require(boxes.some(({ kind, content }) => kind === 'mdat' && content.length > 0), 'damaged');
  // The whole picture is at least as large as its tiles, its alpha plane and its thumbnail.
  return {
    width: Math.max(...sizes.map(({ width }) => width)),
    height: Math.max(...sizes.map(({ height }) => height)),
  };
}

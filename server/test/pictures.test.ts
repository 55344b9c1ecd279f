import type { PictureType } from '@gatehouse/contract';
import { expect, test } from 'vitest';
import { inspectPicture } from '../src/features/site/admin/inspect-picture.ts';
import { Refusal } from '../src/refusal.ts';
import {
  after,
  patched,
  plainPng,
  png,
  pngChunk,
  pngData,
  pngHeader,
  sample,
  samples,
} from './support/pictures.ts';

/** Returns the variant of the refusal, or the size of an accepted picture. */
function judged(type: PictureType, file: Buffer): string {
  try {
    const { width, height } = inspectPicture(type, file);
    return `${width} × ${height}`;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'file_refused') return error.details.variant ?? 'refused';
    throw error;
  }
}

test('when a picture of a real encoder is inspected, then its size is found, also with a script in its metadata', () => {
  for (const [name, type] of samples) expect([name, judged(type, sample(name))]).toEqual([name, '48 × 32']);
  expect(judged('image/jpeg', sample('exif.jpg'))).toBe('48 × 32');
  expect(judged('image/png', plainPng(3, 5, [1, 2, 3]))).toBe('3 × 5');
  expect(judged('image/png', png(pngHeader(4096, 4096), pngData(), pngChunk('IEND')))).toBe('4096 × 4096');
});

const header = pngHeader(1, 1);
const end = pngChunk('IEND');
const whole = png(header, pngData(), end);
const jpeg = sample('small.jpg');
const frame = jpeg.indexOf('ffc0', 0, 'hex');
const frameEnd = frame + 2 + jpeg.readUInt16BE(frame + 2);
const webp = sample('lossy.webp');
const alphaWebp = sample('alpha.webp');
const avif = sample('small.avif');
const size = after(avif, 'ispe') + 4;
const zip = Buffer.from('PK\u0003\u0004evil.html');
const html = Buffer.from('<html><script>alert(1)</script></html>');
const withSize = (file: Buffer) => {
  const copy = Buffer.from(file);
  copy.writeUInt32LE(file.length - 8, 4);
  return copy;
};

const hostile: readonly (readonly [what: string, type: PictureType, file: Buffer, why: string])[] = [
  ['an empty file', 'image/png', Buffer.alloc(0), 'type'],
  ['a PNG that is one pixel too wide', 'image/png', png(pngHeader(4097, 1), pngData(), end), 'pixels'],
  ['a PNG of 4 gigapixels', 'image/png', png(pngHeader(65_535, 65_535), pngData(), end), 'pixels'],
  ['a PNG without width', 'image/png', png(pngHeader(0, 5), pngData(), end), 'damaged'],
  ['a PNG with a wrong checksum', 'image/png', patched(whole, 20, 9), 'damaged'],
  ['half a PNG', 'image/png', whole.subarray(0, whole.length / 2), 'damaged'],
  ['a PNG without its last chunk', 'image/png', png(header, pngData()), 'damaged'],
  ['a PNG with a ZIP behind it', 'image/png', Buffer.concat([whole, zip]), 'trailing'],
  ['a PNG with a page behind it', 'image/png', Buffer.concat([whole, html]), 'trailing'],
  ['a PNG without data', 'image/png', png(header, end), 'damaged'],
  [
    'a PNG with an unknown critical chunk',
    'image/png',
    png(header, pngChunk('EVIL'), pngData(), end),
    'damaged',
  ],
  [
    'a PNG with a chunk of 4 GiB',
    'image/png',
    png(header, Buffer.from('ffffffff49444154', 'hex')),
    'damaged',
  ],
  ['a PNG whose header is not first', 'image/png', png(pngData(), header, end), 'damaged'],
  ['a PNG with two headers', 'image/png', png(header, pngHeader(9000, 9000), pngData(), end), 'damaged'],
  ['a PNG of an unknown colour type', 'image/png', png(pngHeader(1, 1, 8, 7), pngData(), end), 'damaged'],
  ['a PNG with a chunk name of HTML', 'image/png', png(header, pngChunk('<scr'), pngData(), end), 'damaged'],
  ['a moving PNG', 'image/png', sample('animated.png'), 'animated'],
  ['a page with the beginning of a PNG', 'image/png', png(html), 'damaged'],
  ['a JPEG that says it is a PNG', 'image/png', jpeg, 'type'],
  [
    'an SVG that says it is a PNG',
    'image/png',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'type',
  ],
  ['a PNG that says it is a JPEG', 'image/jpeg', whole, 'type'],
  ['a GIF with a script', 'image/jpeg', Buffer.from('GIF89a/*\u0000*/=alert(1)'), 'type'],
  ['a page that says it is a JPEG', 'image/jpeg', html, 'type'],
  ['a JPEG without its end', 'image/jpeg', jpeg.subarray(0, -2), 'damaged'],
  ['a third of a JPEG', 'image/jpeg', jpeg.subarray(0, jpeg.length / 3), 'damaged'],
  ['a JPEG with a page behind it', 'image/jpeg', Buffer.concat([jpeg, html]), 'trailing'],
  ['a JPEG of 65,535 pixels', 'image/jpeg', patched(jpeg, frame + 5, 255, 255, 255, 255), 'pixels'],
  ['a JPEG with a segment beyond its end', 'image/jpeg', patched(jpeg, 4, 255, 255), 'damaged'],
  ['a JPEG with a segment of no length', 'image/jpeg', patched(jpeg, 4, 0, 0), 'damaged'],
  [
    'a JPEG with two frames',
    'image/jpeg',
    Buffer.concat([jpeg.subarray(0, frameEnd), jpeg.subarray(frame)]),
    'damaged',
  ],
  ['a JPEG without a frame', 'image/jpeg', Buffer.from('ffd8ffd9', 'hex'), 'damaged'],
  ['a JPEG of a kind that browsers do not show', 'image/jpeg', patched(jpeg, frame + 1, 0xc9), 'damaged'],
  ['a JPEG with a frame too short for its parts', 'image/jpeg', patched(jpeg, frame + 9, 200), 'damaged'],
  ['a WebP that says it is longer', 'image/webp', patched(webp, 4, 255, 255), 'damaged'],
  ['a WebP with a page behind it', 'image/webp', Buffer.concat([webp, html]), 'trailing'],
  ['a WebP with a page as its last chunk', 'image/webp', withSize(Buffer.concat([webp, html])), 'damaged'],
  ['a WebP frame of 16,383 pixels', 'image/webp', patched(webp, 26, 255, 63, 255, 63), 'pixels'],
  [
    'a WebP canvas that lies about its frame',
    'image/webp',
    patched(alphaWebp, 24, 1, 0, 0, 1, 0, 0),
    'damaged',
  ],
  [
    'a WebP frame larger than its canvas',
    'image/webp',
    patched(alphaWebp, after(alphaWebp, 'VP8 ') + 10, 255, 63),
    'damaged',
  ],
  ['a moving WebP', 'image/webp', sample('animated.webp'), 'animated'],
  ['a WebP without a frame', 'image/webp', withSize(webp.subarray(0, 12)), 'damaged'],
  ['a WebP with two frames', 'image/webp', withSize(Buffer.concat([webp, webp.subarray(12)])), 'damaged'],
  ['half a WebP', 'image/webp', webp.subarray(0, webp.length / 2), 'damaged'],
  ['a WAV that says it is a WebP', 'image/webp', Buffer.from('RIFF\u0004\u0000\u0000\u0000WAVE'), 'type'],
  ['a moving AVIF', 'image/avif', sample('animated.avif'), 'animated'],
  ['an AVIF of 100,000 pixels', 'image/avif', patched(avif, size, 0, 1, 134, 160), 'pixels'],
  ['an AVIF without width', 'image/avif', patched(avif, size, 0, 0, 0, 0), 'damaged'],
  [
    'an MP4 that says it is an AVIF',
    'image/avif',
    Buffer.from('\0\0\0\u0018ftypmp42\0\0\0\0mp42isom', 'latin1'),
    'type',
  ],
  [
    'an AVIF box to the end of the file',
    'image/avif',
    patched(avif, avif.indexOf('mdat') - 4, 0, 0, 0, 0),
    'damaged',
  ],
  [
    'an AVIF box beyond the end of the file',
    'image/avif',
    patched(avif, avif.indexOf('meta') - 4, 255),
    'damaged',
  ],
  [
    'an AVIF box beyond the box it is in',
    'image/avif',
    patched(avif, avif.indexOf('ipco') - 4, 0, 0, 255),
    'damaged',
  ],
  ['an AVIF with a page behind it', 'image/avif', Buffer.concat([avif, html]), 'damaged'],
  ['half an AVIF', 'image/avif', avif.subarray(0, avif.length / 2), 'damaged'],
  ['an AVIF that does not tell its size', 'image/avif', patched(avif, size - 8, 120), 'damaged'],
];

test.each(hostile)('when the file is %s, then it is refused', (_, type, file, why) => {
  expect(judged(type, file)).toBe(why);
});

const open = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40">';
const svg = (inner: string) => `${open}${inner}</svg>`;

test('when an SVG has shapes, gradients, text and plain styles, then its size is found', () => {
  const good = `<?xml version="1.0" encoding="UTF-8"?>
<!-- Made by hand -->
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 120 40" role="img">
  <title>A &amp; B</title>
  <style>.a{fill:url(#g);stroke:#fff}</style>
  <defs><linearGradient id="g"><stop offset="0" stop-color="#f00"/><stop offset="1" stop-color='#00f'/></linearGradient>
  <radialGradient id="h" xlink:href="#g"/></defs>
  <g class="a" style="opacity:.5" clip-path="url(#c)"><path d="M0 0h10v10z"/><text x="5" y="20">Image</text></g>
</svg>
`;
  expect(judged('image/svg+xml', Buffer.from(good))).toBe('120 × 40');
  expect(
    judged('image/svg+xml', Buffer.from(svg('').replace('viewBox', 'width="64px" height="32" viewBox'))),
  ).toBe('64 × 32');
});

const hostileSvg: readonly (readonly [what: string, text: string])[] = [
  ['a script', svg('<script>alert(1)</script>')],
  ['a script in another case', svg('<SCRIPT>alert(1)</SCRIPT>')],
  ['a script with a prefix', svg('<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>')],
  ['a script by reference', svg('<script href="https://evil.example/x.js"/>')],
  ['an event attribute', svg('<g onload="alert(1)"/>')],
  ['an event attribute of the root', svg('').replace(' viewBox', ' onload="alert(1)" viewBox')],
  ['an event attribute behind a slash', svg('<g/onclick="alert(1)"/>')],
  ['a foreign object', svg('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>')],
  ['a picture from elsewhere', svg('<image href="https://evil.example/x.png"/>')],
  ['an embedded picture', svg('<image href="data:image/png;base64,AAAA"/>')],
  ['a link', svg('<a href="javascript:alert(1)"><text>x</text></a>')],
  ['a reused element of another file', svg('<use href="https://evil.example/x.svg#a"/>')],
  ['a reused element', svg('<g id="a"/><use href="#a"/>')],
  ['a gradient of another file', svg('<linearGradient href="https://evil.example/x.svg#a"/>')],
  ['a gradient with javascript', svg('<linearGradient href="javascript:alert(1)"/>')],
  ['an animation', svg('<rect><animate attributeName="href" to="javascript:alert(1)"/></rect>')],
  ['a set', svg('<rect><set attributeName="onclick" to="alert(1)"/></rect>')],
  ['a filter that loads a picture', svg('<filter><feImage href="https://evil.example/x"/></filter>')],
  ['an iframe', svg('<iframe src="https://evil.example/"/>')],
  ['a style that imports', svg('<style>@import "https://evil.example/x.css";</style>')],
  ['a style that loads a font', svg('<style>@font-face{src:local(x)}</style>')],
  ['a style that loads a picture', svg('<style>g{fill:url(https://evil.example/x#a)}</style>')],
  ['a style that loads by src()', svg('<style>g{fill:src("https://evil.example/x#a")}</style>')],
  ['a fill by src()', svg('<g fill="src(\'https://evil.example/x#a\')"/>')],
  ['a style that hides a word', svg('<style>g{fill:u\\72l(https://evil.example/)}</style>')],
  ['a style with an image', svg('<g style="background:image-set(\'https://evil.example/x\' 1x)"/>')],
  ['a mask that is an image', svg('<g mask="image-set(\'https://evil.example/x\' 1x)"/>')],
  ['a mask with a prefix', svg('<g mask="-webkit-image-set(&quot;https://evil.example/x&quot; 1x)"/>')],
  ['a mask of two images', svg('<g mask="cross-fade(\'https://evil.example/x\', red)"/>')],
  ['a style in another language', svg('<style type="text/javascript">alert(1)</style>')],
  ['a fill from elsewhere', svg('<g fill="url(https://evil.example/x#a)"/>')],
  ['a fill from elsewhere with spaces', svg('<g fill="url ( https://evil.example/x )"/>')],
  ['a doctype', `<!DOCTYPE svg>${svg('')}`],
  ['entities', `<!DOCTYPE svg [<!ENTITY a "<script>alert(1)</script>">]>${svg('&a;')}`],
  ['a billion laughs', `<!DOCTYPE svg [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>${svg('&b;')}`],
  ['an unknown entity', svg('<title>&nbsp;</title>')],
  ['a numeric entity', svg('<g fill="&#117;rl(https://evil.example/)"/>')],
  ['CDATA', svg('<![CDATA[<script>alert(1)</script>]]>')],
  ['a style sheet by instruction', `<?xml-stylesheet href="https://evil.example/x.css"?>${svg('')}`],
  ['an instruction inside', svg('<?php echo 1 ?>')],
  ['another namespace', svg('').replace('2000/svg', '1999/xhtml')],
  ['no namespace', '<svg viewBox="0 0 1 1"></svg>'],
  ['a namespace for HTML inside', svg('<g xmlns="http://www.w3.org/1999/xhtml"/>')],
  ['a base', svg('<g xml:base="https://evil.example/"/>')],
  ['an element that is not closed', `${open}<g>`],
  ['elements closed in the wrong order', svg('<g><text></g></text>')],
  ['two roots', svg('') + svg('')],
  ['an inner root', svg(svg(''))],
  ['text behind the root', `${svg('')}alert(1)`],
  ['a page behind the root', `${svg('')}<html><script>alert(1)</script></html>`],
  ['a page before the root', `<html></html>${svg('')}`],
  ['an attribute without quotes', svg('<g fill=red/>')],
  ['an attribute twice', svg('<g id="a" id="b"/>')],
  ['a comment that ends early', svg('<!--><script>alert(1)</script>-->')],
  ['a comment with two hyphens', svg('<!-- -- -->')],
  ['a control character', svg('<title>\u0001</title>')],
  ['nothing', ''],
  ['no tag', 'GIF89a'],
  ['a deep tree', svg('<g>'.repeat(60) + '</g>'.repeat(60))],
  ['too many elements', svg('<g/>'.repeat(6000))],
];

test.each(hostileSvg)('when the SVG has %s, then it is refused', (_, text) => {
  expect(judged('image/svg+xml', Buffer.from(text))).toBe('svg');
});

test('when an SVG is not UTF-8 or larger than 4096 pixels, then it is refused', () => {
  expect(judged('image/svg+xml', Buffer.from(svg(''), 'utf16le'))).toBe('svg');
  const large = svg('').replace('viewBox', 'width="5000" height="10" viewBox');
  expect(judged('image/svg+xml', Buffer.from(large))).toBe('pixels');
});

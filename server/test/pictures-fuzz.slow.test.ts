import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inspectPicture } from '../src/features/site/admin/inspect-picture.ts';
import { Refusal } from '../src/refusal.ts';
import { sample, samples } from './support/pictures.ts';

const PICTURES = 10_000;

/** Overwrites, cuts, repeats or inserts bytes. The first tier has the known tricks: pictures.test.ts. */
const mutations = fc.array(
  fc.record({
    kind: fc.constantFrom('set', 'cut', 'insert', 'repeat'),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 16 }),
  }),
  { minLength: 1, maxLength: 6 },
);

function mutated(file: Buffer, changes: { kind: string; at: number; bytes: Uint8Array }[]): Buffer {
  return changes.reduce((known, { kind, at, bytes }) => {
    const place = Math.floor(at * known.length);
    const [head, tail] = [known.subarray(0, place), known.subarray(place)];
    if (kind === 'cut') return Buffer.concat([head, tail.subarray(bytes.length)]);
    if (kind === 'insert') return Buffer.concat([head, bytes, tail]);
    if (kind === 'repeat') return Buffer.concat([head, tail.subarray(0, 64), tail]);
    return Buffer.concat([head, bytes, tail.subarray(bytes.length)]);
  }, file);
}

const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><style>g{fill:url(#a)}</style><g id="a"><path d="M0 0"/></g></svg>',
);

test('when 10,000 pictures are mutated, then each is accepted with a size or refused, and memory stays flat', () => {
  const files = [
    ...samples.map(([name, type]) => ({ type, file: sample(name) })),
    { type: 'image/svg+xml' as const, file: svg },
  ];
  const before = process.memoryUsage().arrayBuffers;
  fc.assert(
    fc.property(fc.constantFrom(...files), mutations, ({ type, file }, changes) => {
      try {
        const { width, height } = inspectPicture(type, mutated(file, changes));
        expect(width <= 4096 && height <= 4096).toBe(true);
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'file_refused') throw error;
      }
    }),
    { numRuns: PICTURES },
  );
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
});

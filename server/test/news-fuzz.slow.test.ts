import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createMarkdown } from '../src/features/announcements/render-markdown.ts';
import { harm, payloads } from './support/news-payloads.ts';

const DOCUMENTS = 10_000;

/** Joins parts of attacks with the characters that Markdown knows. The first tier has each attack alone: news.test.ts. */
const documents = fc
  .array(
    fc.oneof(
      fc.constantFrom(...payloads),
      fc.constantFrom(
        '\n',
        '\n\n',
        '> ',
        '- ',
        '1. ',
        '# ',
        '`',
        '```\n',
        '[',
        '](',
        ')',
        '![',
        '<',
        '>',
        '"',
        '*',
        '\\',
        '&',
      ),
      fc.string({ maxLength: 12, unit: 'grapheme' }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

test('when 10,000 documents are composed of attacks, then nothing that runs or loads remains', async () => {
  const error = vi.fn();
  const render = createMarkdown({ images: () => false, log: { error } });
  await fc.assert(
    fc.asyncProperty(documents, async (text) => {
      expect(harm(await render(text))).toBeUndefined();
    }),
    { numRuns: DOCUMENTS },
  );
  expect(error).not.toHaveBeenCalled();
});

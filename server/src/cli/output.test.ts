import { expect, onTestFinished, test, vi } from 'vitest';
import { print } from './output.ts';

function printed(rows: Parameters<typeof print>[0], json: boolean): string {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  print(rows, { json });
  return write.mock.calls.map(([text]) => String(text)).join('');
}

/** Clears the screen in two ways and reverses the text after it. */
const name = 'a\u001b[2J\u009b2J\u007f\u202eb\n夜';

test('when a name contains control characters or reverses text, then a table shows them escaped', () => {
  const shown = printed([{ name }], false);
  expect(shown.trimEnd().split('\n')).toHaveLength(2);
  expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test('when it is printed as JSON, then the output has no control characters and parses to the exact name', () => {
  const shown = printed([{ name }], true);
  expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(JSON.parse(shown)).toEqual([{ name }]);
});

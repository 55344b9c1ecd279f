import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { parseUrlEncoded, textParser } from './text-fields.ts';
import { pickLanguage } from './texts/index.ts';

describe('queries and forms', () => {
  test('when text is well-formed, then it is decoded once', () => {
    expect({ ...parseUrlEncoded('a=1+2%2B3&b=%E4%BD%A0&c&=x&d=1&d=2&d=3') }).toEqual({
      a: '1 2+3',
      b: '你',
      c: '',
      '': 'x',
      d: ['1', '2', '3'],
    });
  });

  test('when a field is named like a member of Object.prototype, then it is an ordinary field', () => {
    const fields = parseUrlEncoded('__proto__=1&constructor=2');
    expect(Object.keys(fields)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test.each(['a=%', 'a=%zz', 'a=%ff', 'a=%c3%28', '%e4=1', 'a=b%00c'])(
    'when %j is not text, then it is refused',
    (query) => {
      expect(() => parseUrlEncoded(query)).toThrow('invalid_request');
    },
  );

  test('when the query comes from another site, then undecodable text is replaced or left as it is', () => {
    const fields = parseUrlEncoded('error=access_denied&error_description=%BE%DC&=&x=%zz', { foreign: true });
    expect({ ...fields }).toMatchObject({ error: 'access_denied', error_description: '��', x: '%zz' });
  });

  test('when the schema declares an integer, then only integers are converted', () => {
    const parse = textParser(Type.Object({ n: Type.Integer(), t: Type.String() }));
    const cases: [string, unknown][] = [
      ['5', 5],
      ['-3', -3],
      ['0', 0],
      ['05', '05'],
      ['5.0', '5.0'],
      ['1e3', '1e3'],
      [' 5', ' 5'],
      ['0x10', '0x10'],
      ['', ''],
    ];
    for (const [text, value] of cases) expect(parse({ n: text, t: text })).toEqual({ n: value, t: text });
  });
});

test.each([
  [undefined, 'zh-CN'],
  ['en', 'en'],
  ['en-GB,en;q=0.9', 'en'],
  ['fr, zh-TW;q=0.5, en;q=0.4', 'zh-CN'],
  ['zh;q=0.1, en;q=0.8', 'en'],
  ['en;q=0, zh', 'zh-CN'],
  ['*', 'zh-CN'],
  [';;;,,', 'zh-CN'],
])('when a caller accepts %j, then the language is %s', (accepted, language) => {
  expect(pickLanguage(accepted)).toBe(language);
});

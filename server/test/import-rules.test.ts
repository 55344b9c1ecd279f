import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { cleaning } from '../src/features/import/clean.ts';
import { type CsvRecord, createCsvParser } from '../src/features/import/csv.ts';
import { importAccounts } from '../src/features/import/import-accounts.ts';
import { createSeen } from '../src/features/import/seen.ts';
import { importStore } from '../src/features/import/store.ts';
import { emptyTally, showProgress } from '../src/features/import/summary.ts';
import { readAddress, readEmail, readId, readLabel, timeReader } from '../src/features/import/values.ts';
import { migrated } from './db/opened.ts';
import { oldHash } from './support/import-fixture.ts';

function parse(pieces: readonly string[], delimiter?: string): CsvRecord[] {
  const parser = createCsvParser(delimiter);
  return [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()];
}

describe('CSV', () => {
  const field = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', '玩') });
  const file = fc.record({
    records: fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { minLength: 1 }),
    lineEnd: fc.constantFrom('\n', '\r\n'),
    closed: fc.boolean(),
    cuts: fc.array(fc.nat(200)),
  });
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

  test('when records are written by the rules and split anywhere, then they are read back unchanged', () => {
    fc.assert(
      fc.property(file, ({ records, lineEnd, closed, cuts }) => {
        const text =
          records.map((record) => record.map(quoted).join(',')).join(lineEnd) + (closed ? lineEnd : '');
        const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
        const pieces = places.slice(1).map((place, index) => text.slice(places[index], place));
        expect(parse(pieces).map(({ fields }) => fields)).toEqual(records);
      }),
    );
  });

  test('when fields contain line ends, then lines are counted as an editor does', () => {
    const records = parse(['a,b\r\n"1\n2",x\r\n\r\n3,y']);
    expect(records).toEqual([
      { line: 1, fields: ['a', 'b'] },
      { line: 2, fields: ['1\n2', 'x'] },
      { line: 5, fields: ['3', 'y'] },
    ]);
  });

  test('when the delimiter is another one, then commas are text', () => {
    expect(parse(['a,b\tc\n'], '\t')).toEqual([{ line: 1, fields: ['a,b', 'c'] }]);
  });

  test('when a quote is never closed, then the error names the line, and memory stays bounded', () => {
    const parser = createCsvParser();
    parser.push('a,b\n"');
    expect(() => {
      for (let n = 0; n < 100; n++) parser.push('x'.repeat(100_000));
    }).toThrow('the record on line 2 is too long');
  });
});

describe('old values', () => {
  const time = timeReader('Asia/Shanghai');
  test.each([
    ['1500000000', 1_500_000_000_000],
    ['1500000000123', 1_500_000_000_123],
    ['2015-06-01 08:30:15', Date.parse('2015-06-01T00:30:15Z')],
    ['2015/6/1', Date.parse('2015-05-31T16:00:00Z')],
    ['2015-06-01T08:30:00+02:00', Date.parse('2015-06-01T06:30:00Z')],
    ['2015-06-01 08:30:00Z', Date.parse('2015-06-01T08:30:00Z')],
    ['0', null],
    ['0000-00-00 00:00:00', null],
    ['', null],
    ['NULL', null],
    ['2015-02-30 00:00:00', undefined],
    ['2015-06-01 25:00:00', undefined],
    ['2099-06-01 08:30:15', undefined],
    ['4100000000', undefined],
    ['last year', undefined],
  ])('when a time is %j, then it is read as %s', (text, expected) => {
    expect(time(text)).toBe(expected);
  });

  test.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['-1062731519', '192.168.1.1'],
    ['0', null],
    ['unknown', undefined],
  ])('when an address is %j, then it is read as %s', (text, expected) => {
    expect(readAddress(text)).toBe(expected);
  });

  test('when other values are odd, then they are read as far as they make sense', () => {
    expect(readEmail(' A@B.Example ')).toBe('a@b.example');
    expect(readEmail('a@b\r\nBcc: c@d.example')).toBeUndefined();
    expect(readId('0')).toBeNull();
    expect(readId('99999999999')).toBeUndefined();
    expect([...(readLabel(`${'📱'.repeat(200)}`) ?? '')]).toHaveLength(128);
  });
});

describe('progress', () => {
  async function shownAfter(ms: number, isTTY: boolean): Promise<string[]> {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const written: string[] = [];
    const out = { isTTY, write: (text: string) => written.push(text) };
    let rows = 0;
    const end = showProgress({ out, rows: () => rows, fraction: () => rows / 80_000 });
    rows = 20_000;
    await vi.advanceTimersByTimeAsync(ms);
    end();
    return written;
  }

  test('when there is no terminal, then one line a second shows the rate and the time left', async () => {
    expect(await shownAfter(2000, false)).toEqual([
      '25%  20,000 rows  20,000 rows/s  ETA 0:03\n',
      '25%  20,000 rows  10,000 rows/s  ETA 0:06\n',
    ]);
  });

  test('when it runs in a terminal, then a bar is redrawn and removed at the end', async () => {
    const shown = await shownAfter(1000, true);
    expect(shown.at(-2)).toBe(
      '\r\u001b[K[######                  ] 25%  20,000 rows  20,000 rows/s  ETA 0:03',
    );
    expect(shown.at(-1)).toBe('\r\u001b[K');
  });
});

test('when many names are added, then each is new once and its first place is remembered', () => {
  const seen = createSeen();
  const names = Array.from({ length: 200_000 }, (_, index) => `player${index}`);
  expect(names.filter((name, place) => seen.add(name, place) !== undefined)).toEqual([]);
  expect(names.filter((name, place) => seen.add(name, 0) !== place)).toEqual([]);
});

describeOnEngines('a batch', (engine) => {
  test('when a player registers one of its names meanwhile, then the others are imported and that one is reported', async () => {
    const db = await migrated(engine);
    const plan = { columns: ['account', 'password_hash'], sources: ['a', 'b'], unused: [] } as const;
    const real = importStore(db, plan.columns);
    let looks = 0;
    const store = {
      writeAll: real.writeAll,
      erasedAmong: async () => new Set<string>(),
      async knownOf(keys: readonly string[]) {
        const known = await real.knownOf(keys);
        const rival = { account: 'Player3', password_hash: oldHash('rival') };
        if (++looks === 1) await db.kysely.insertInto('player').values(rival).execute();
        return known;
      },
    };
    const rows = [1, 2, 3, 4].map((n) => ({ at: String(n), fields: [`player${n}`, oldHash(`pw${n}`)] }));
    const tally = emptyTally();
    const ended = await importAccounts({
      source: {
        columns: plan.sources,
        place: 'line',
        resumable: true,
        rows: async function* () {
          yield rows;
        },
        fraction: () => 1,
        close: () => {},
      },
      plan,
      clean: cleaning({ plan, statuses: new Map(), timeZone: 'UTC' }),
      seen: createSeen(),
      store,
      report: { write: async () => {} },
      conflicts: { write: async () => {} },
      decisionsOf: () => undefined,
      checkpoint: undefined,
      after: undefined,
      apply: true,
      batch: 10,
      stopping: () => false,
      tally,
    });
    expect(ended).toBe('complete');
    expect(looks).toBe(2);
    expect(tally).toMatchObject({ read: 4, imported: 3, kept: 1, conflicts: 1, unchanged: 0 });
    const stored = await db.kysely.selectFrom('player').select('account').orderBy('account').execute();
    expect(stored.map(({ account }) => account)).toEqual(['Player3', 'player1', 'player2', 'player4']);
  });
});

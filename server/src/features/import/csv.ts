import { type FileHandle, open } from 'node:fs/promises';
import type { OldAccounts, OldRow, WantedRows } from '../../integrations/old-accounts.ts';

export interface CsvRecord {
  /** The line it begins on, from 1. */
  readonly line: number;
  readonly fields: string[];
}

const QUOTE = 34;
const NEWLINE = 10;
/** Upper bound for a record: an unclosed quote would otherwise swallow the rest of the file. */
const RECORD_LIMIT = 1_000_000;

/** Parses RFC 4180 in chunks of any size. Quoted fields may hold delimiters, line ends and doubled quotes. */
export function createCsvParser(delimiter = ',') {
  const DELIMITER = delimiter.charCodeAt(0);
  let unparsed = '';
  let line = 1;

  /** Reads the record at `start`, or returns undefined if it is incomplete. */
  function record(text: string, start: number, last: boolean): { fields: string[]; end: number } | undefined {
    const fields: string[] = [];
    for (let at = start; ; ) {
      const field = text.charCodeAt(at) === QUOTE ? quoted(text, at, last) : plain(text, at);
      if (field === undefined) return undefined;
      const stop = text.charCodeAt(field.end);
      if (stop === DELIMITER) {
        fields.push(field.value);
        at = field.end + 1;
      } else if (field.end < text.length || last) {
        fields.push(field.value);
        return { fields, end: field.end };
      } else return undefined;
    }
  }

  function plain(text: string, start: number): { value: string; end: number } {
    let end = start;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (code === DELIMITER || code === NEWLINE) break;
    }
    const value = text.slice(start, end);
    return { value: text.charCodeAt(end) === NEWLINE ? withoutReturn(value) : value, end };
  }

  function quoted(text: string, start: number, last: boolean): { value: string; end: number } | undefined {
    let close = text.indexOf('"', start + 1);
    while (close !== -1 && text.charCodeAt(close + 1) === QUOTE) close = text.indexOf('"', close + 2);
    // A quote at the end of the chunk may be the first of two.
    if (close === -1 || (close + 1 === text.length && !last)) {
      if (last) throw new Error(`line ${line} opens a quote that is not closed`);
      return undefined;
    }
    const inside = text.slice(start + 1, close);
    const tail = plain(text, close + 1);
    return { value: inside.replaceAll('""', '"') + tail.value, end: tail.end };
  }

  function parse(text: string, last: boolean): CsvRecord[] {
    const records: CsvRecord[] = [];
    let start = 0;
    while (start < text.length) {
      const found = record(text, start, last);
      if (found === undefined) break;
      if (found.fields.length > 1 || found.fields[0] !== '') records.push({ line, fields: found.fields });
      line += newlines(text, start, found.end) + 1;
      start = found.end + 1;
    }
    unparsed = text.slice(start);
    if (unparsed.length > RECORD_LIMIT)
      throw new Error(`the record on line ${line} is too long; a quote may not be closed`);
    return records;
  }

  return {
    /** Takes the next chunk of text and returns the records it completes. */
    push: (text: string) => parse(unparsed + text, false),
    /** Returns the last record if it has no line end. */
    end: () => parse(unparsed, true),
  };
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

function newlines(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

const PIECE_BYTES = 256 * 1024;

export interface CsvFile {
  readonly file: string;
  /** UTF-8 by default. */
  readonly encoding?: string | undefined;
  readonly delimiter: string;
}

/** Opens a CSV file with a header row and reads it in chunks. */
export async function openCsvFile({ file, encoding, delimiter }: CsvFile): Promise<OldAccounts> {
  const decoder = decoderFor(encoding ?? 'utf-8');
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`cannot read ${file} (${error.code ?? 'unknown'})`);
  });
  const { size } = await handle.stat();
  const parser = createCsvParser(delimiter);
  let read = 0;

  async function* groups(): AsyncGenerator<CsvRecord[]> {
    for await (const piece of pieces(handle)) {
      read += piece.length;
      yield parser.push(decoder.decode(piece, { stream: true }));
    }
    yield [...parser.push(decoder.decode()), ...parser.end()];
  }

  const records = groups();
  const { header, first } = await readHeader(records, file).catch(async (error) => {
    await handle.close();
    throw error;
  });

  async function* rows({ columns, after, skipped }: WantedRows) {
    const places = columns.map((column) => header.indexOf(column));
    const toRow = ({ line, fields }: CsvRecord): OldRow => ({
      at: String(line),
      fields: fields.length === header.length ? places.map((place) => fields[place] ?? '') : undefined,
    });
    const start = Number(after ?? 0);
    const wanted = (group: readonly CsvRecord[]) => {
      skipped?.(group.filter(({ line }) => line <= start).map(toRow));
      return group.filter(({ line }) => line > start).map(toRow);
    };
    yield wanted(first);
    for await (const group of records) yield wanted(group);
  }

  return {
    columns: header,
    place: 'line',
    resumable: true,
    rows,
    fraction: () => (size === 0 ? 1 : read / size),
    close: () => void handle.close().catch(() => {}),
  };
}

export function decoderFor(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding);
  } catch {
    throw new Error(
      `--encoding: ${encoding} is not a known encoding; use for example utf-8, gb18030 or big5`,
    );
  }
}

async function* pieces(handle: FileHandle): AsyncGenerator<Buffer> {
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(PIECE_BYTES));
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function readHeader(records: AsyncGenerator<CsvRecord[]>, file: string) {
  for (;;) {
    const { value = [], done } = await records.next();
    const [header, ...first] = value as CsvRecord[];
    if (header !== undefined) return { header: header.fields.map((name) => name.trim()), first };
    if (done) throw new Error(`${file} is empty: its first line must name the columns`);
  }
}

import { type FileHandle, open } from 'node:fs/promises';
import type { OldAccounts, OldRow } from '../../integrations/old-accounts.ts';
import { type CsvRecord, createCsvParser } from './csv.ts';

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

  async function* rows({ columns, after }: { columns: readonly string[]; after?: string | undefined }) {
    const places = columns.map((column) => header.indexOf(column));
    const toRow = ({ line, fields }: CsvRecord): OldRow => ({
      at: String(line),
      fields: fields.length === header.length ? places.map((place) => fields[place] ?? '') : undefined,
    });
    const start = Number(after ?? 0);
    yield first.filter(({ line }) => line > start).map(toRow);
    for await (const group of records) yield group.filter(({ line }) => line > start).map(toRow);
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

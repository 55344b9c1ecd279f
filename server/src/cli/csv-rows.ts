import { openCsvFile } from '../features/import/csv.ts';

export interface CsvRow {
  readonly line: string;
  /** Keyed by the names in the header. Columns that the file lacks are missing. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Reads a small CSV file with a header. A hyphen in the header counts as an underscore, so that options can be used as names.
 * Refuses unknown columns, which are most likely misspelled.
 */
export async function readCsvRows(
  file: string,
  columns: { readonly required: readonly string[]; readonly optional: readonly string[] },
): Promise<CsvRow[]> {
  const source = await openCsvFile({ file, delimiter: ',' });
  try {
    const header = source.columns.map((name) => name.replaceAll('-', '_'));
    const known = [...columns.required, ...columns.optional];
    const unknown = header.filter((name) => !known.includes(name));
    const missing = columns.required.filter((name) => !header.includes(name));
    if (unknown.length > 0 || missing.length > 0)
      throw new Error(
        `${file}: the columns must be ${known.join(', ')}; the file has ${source.columns.join(', ')}`,
      );
    const rows: CsvRow[] = [];
    for await (const group of source.rows({ columns: source.columns }))
      for (const { at, fields } of group) {
        if (fields === undefined)
          throw new Error(`${file}, line ${at}: the number of fields differs from the header`);
        const named = header.map((name, index) => [name, fields[index]?.trim() ?? ''] as const);
        rows.push({ line: at, fields: Object.fromEntries(named.filter(([, value]) => value !== '')) });
      }
    return rows;
  } finally {
    source.close();
  }
}

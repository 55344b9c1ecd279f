import { type FileHandle, open, rm } from 'node:fs/promises';

export interface ReportLine {
  readonly at: string;
  readonly account: string;
  readonly outcome: 'skipped' | 'changed' | 'differs';
  readonly reason: string;
}

export interface Report {
  readonly file: string;
  /** Lines written by this run. */
  readonly lines: number;
  write(lines: readonly ReportLine[]): Promise<void>;
  close(): Promise<void>;
}

/** Writes rows that an operator should check to a CSV file, created with the first of them. */
export async function openReport({
  file,
  place,
  append,
}: {
  file: string;
  place: string;
  append: boolean;
}): Promise<Report> {
  if (!append) await rm(file, { force: true });
  let handle: FileHandle | undefined;
  let lines = 0;

  async function opened(): Promise<FileHandle> {
    const created = await open(file, 'a', 0o600); // account names are private
    if ((await created.stat()).size === 0) await created.write(`${place},account,outcome,reason\n`);
    return created;
  }

  return {
    file,
    get lines() {
      return lines;
    },
    async write(added) {
      if (added.length === 0) return;
      handle ??= await opened();
      lines += added.length;
      await handle.write(added.map(toCsv).join(''));
    },
    async close() {
      await handle?.close();
    },
  };
}

function toCsv({ at, account, outcome, reason }: ReportLine): string {
  return `${[at, account, outcome, reason].map(cell).join(',')}\n`;
}

/** Escapes a cell. Players choose their names, and a spreadsheet must not read one as a formula. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

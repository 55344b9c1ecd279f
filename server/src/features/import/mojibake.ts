/** Maps characters to bytes as MariaDB reads a latin1 column, which is Windows-1252. */
const BYTE_OF = new Map(
  Array.from({ length: 256 }, (_, byte) => [
    new TextDecoder('windows-1252').decode(Uint8Array.of(byte)),
    byte,
  ]),
);
const decoder = new TextDecoder('gb18030', { fatal: true });
/** Two bytes of one character beyond ASCII. */
const SUSPICIOUS = /\P{ASCII}{2}/u;

/** Returns the intended text if it is Chinese that was decoded as Western European, otherwise undefined. */
export function meantAsChinese(text: string): string | undefined {
  if (!SUSPICIOUS.test(text)) return undefined;
  const bytes: number[] = [];
  for (const char of text) {
    const byte = BYTE_OF.get(char);
    if (byte === undefined) return undefined;
    bytes.push(byte);
  }
  try {
    const meant = decoder.decode(Uint8Array.from(bytes));
    return /\p{Script=Han}/u.test(meant) ? meant : undefined;
  } catch {
    return undefined;
  }
}

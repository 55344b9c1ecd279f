/** Characters that move a terminal's cursor or reverse text, except line breaks and tabs. JSON escapes only the first 32. */
const CONTROL = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Escapes them as JSON does, so that scripts read the original text. */
export function escapeControls(text: string): string {
  return text.replaceAll(CONTROL, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

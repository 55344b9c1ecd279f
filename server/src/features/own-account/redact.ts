import type { Traces } from './erasure-store.ts';

interface AuditTexts {
  readonly subject_kind: string | null;
  readonly reason: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

/** Fields that are only about the player: a changed e-mail address, the text of a note. */
const PERSONAL = new Set(['email', 'text']);
/** Shorter names occur in too many words and numbers. */
const SHORTEST_IN_TEXT = 4;

/** Returns an audit row with the player's names replaced by the id, or undefined if it has none. */
export function redactAudit(traces: Traces, { subject_kind, ...texts }: AuditTexts) {
  const inText = textRedaction(traces);
  const isOfPlayer = subject_kind === 'player';
  const json = (text: string | null) => {
    if (text === null) return null;
    const value: unknown = JSON.parse(text);
    return JSON.stringify(isOfPlayer ? ownValue(value, inText) : sameValue(value, traces));
  };
  const redacted = {
    reason: texts.reason !== null && isOfPlayer ? inText(texts.reason) : texts.reason,
    before: json(texts.before),
    after: json(texts.after),
  };
  const isSame = (['reason', 'before', 'after'] as const).every((key) => redacted[key] === texts[key]);
  return isSame ? undefined : redacted;
}

function textRedaction({ id, account, email, addresses, connectIds }: Traces): (text: string) => string {
  const names = [account, email, ...addresses, ...connectIds].filter(
    (name) => name.length >= SHORTEST_IN_TEXT,
  );
  const known = names.sort((a, b) => b.length - a.length).map((name) => RegExp.escape(name));
  if (known.length === 0) return (text) => text;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${known.join('|')})(?![\\p{L}\\p{N}_])`, 'giu');
  return (text) => text.replaceAll(pattern, `#${id}`);
}

/** Redacts a value of a row about the player. */
function ownValue(value: unknown, inText: (text: string) => string): unknown {
  return mapValues(value, (each, key) => (PERSONAL.has(key) ? null : inText(each)));
}

/** Redacts a value of any other row if it is exactly the player's name or address. */
function sameValue(value: unknown, { id, account, email, addresses, connectIds }: Traces): unknown {
  const names = new Set([account, email, ...addresses, ...connectIds].map((each) => each.toLowerCase()));
  names.delete('');
  return mapValues(value, (each) => (names.has(each.trim().toLowerCase()) ? `#${id}` : each));
}

function mapValues(value: unknown, change: (text: string, key: string) => unknown, key = ''): unknown {
  if (typeof value === 'string') return change(value, key);
  if (Array.isArray(value)) return value.map((each) => mapValues(each, change, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, mapValues(each, change, name)]),
  );
}

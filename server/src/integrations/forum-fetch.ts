const LIMIT_BYTES = 64 * 1024;

export type Fields = Record<string, unknown>;

export interface ForumAnswer {
  readonly status: number;
  readonly body: Fields;
}

/** The `fetch` passed to openid-client, which sets the timeout and follows no redirects. */
export type ForumFetch = (url: string, options: object) => Promise<Response>;

/** Reads a bounded JSON object of any media type and returns it as JSON, normalised if needed. */
export function forumFetch(normalise: (url: string, answer: ForumAnswer) => ForumAnswer): ForumFetch {
  return async (url, options) => {
    const response = await fetch(url, options);
    const text = await readBounded(response);
    const isForm = /urlencoded/i.test(response.headers.get('content-type') ?? '');
    const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : parseObject(text, response.status);
    const { status, body: normalised } = normalise(url, { status: response.status, body });
    return new Response(JSON.stringify(normalised), {
      status,
      headers: { 'content-type': 'application/json' },
    });
  };
}

async function readBounded({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.length;
    if (length > LIMIT_BYTES) throw new Error(`the answer is larger than ${LIMIT_BYTES} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** The error omits the text, which may hold a token. */
function parseObject(text: string, status: number): Fields {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`the answer (status ${status}) is not a JSON object`);
  return value as Fields;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text, exactIntegers);
  } catch {
    return undefined;
  }
}

/** Keeps integers beyond 2^53 as text: rounding would make two ids equal. */
function exactIntegers(_key: string, value: unknown, context?: { source?: string }): unknown {
  const inexact = typeof value === 'number' && !Number.isSafeInteger(value);
  return inexact && /^-?\d+$/.test(context?.source ?? '') ? context?.source : value;
}

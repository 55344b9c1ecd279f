import { Refusal } from '../../refusal.ts';

const CONTROL_OR_BACKSLASH = /[\p{Cc}\p{Cs}\\]/u;
const MAX_DECODINGS = 5;

/** Returns a path of the front end. Refuses anything a browser might read as another address, in any encoding. */
export function frontEndPath(wanted: string | undefined): string | undefined {
  if (wanted === undefined || isFrontEndPath(wanted)) return wanted;
  throw new Refusal('invalid_request', { errors: [{ field: 'redirect', message: 'pattern' }] });
}

function isFrontEndPath(wanted: string): boolean {
  let spelling = wanted;
  for (let round = 0; round < MAX_DECODINGS; round++) {
    if (!isPlainPath(spelling)) return false;
    const decoded = decode(spelling);
    // `100%25` cannot be decoded twice; text that cannot be decoded once is not a path.
    if (decoded === undefined) return round > 0;
    if (decoded === spelling) return true;
    spelling = decoded;
  }
  return false;
}

function isPlainPath(path: string): boolean {
  if (!path.startsWith('/') || CONTROL_OR_BACKSLASH.test(path)) return false;
  const url = URL.parse(path, 'http://front.end');
  if (url?.host !== 'front.end') return false;
  return !url.pathname.includes('//') && !/^\/api(\/|$)/i.test(url.pathname);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

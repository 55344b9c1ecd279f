/** The 64 round constants of SHA-256: the fractional parts of the cube roots of the first primes. */
const K = primes(64).map((prime) => fraction(Math.cbrt(prime)));
const START = primes(8).map((prime) => fraction(Math.sqrt(prime)));
const schedule = new Int32Array(64);

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}

function fraction(value: number): number {
  return ((value % 1) * 2 ** 32) | 0;
}

/**
 * SHA-256 as eight 32-bit words. For the short texts of a challenge it is faster than crypto.subtle, whose calls are
 * asynchronous and exist only on https and localhost.
 */
export function sha256(text: Uint8Array): Int32Array {
  const blocks = new DataView(new ArrayBuffer(((text.length + 72) >> 6) << 6));
  new Uint8Array(blocks.buffer).set(text);
  blocks.setUint8(text.length, 0x80);
  blocks.setUint32(blocks.byteLength - 4, text.length * 8);
  const hash = Int32Array.from(START);
  for (let at = 0; at < blocks.byteLength; at += 64) mix(hash, blocks, at);
  return hash;
}

const rotate = (word: number, by: number) => (word >>> by) | (word << (32 - by));

function mix(hash: Int32Array, blocks: DataView, at: number): void {
  const w = schedule;
  for (let i = 0; i < 16; i++) w[i] = blocks.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15] as number;
    const y = w[i - 2] as number;
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    w[i] = (w[i - 16] as number) + s0 + (w[i - 7] as number) + s1;
  }
  let [a, b, c, d, e, f, g, h] = hash as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (K[i] as number) + (w[i] as number)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    hash[i] = (hash[i] as number) + word;
  });
}

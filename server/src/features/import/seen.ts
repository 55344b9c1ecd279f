import { randomInt } from 'node:crypto';

/**
 * Stores names as 64 bits of their hash, about 30 bytes each; a Set of strings would need a gigabyte for ten million accounts.
 * With that many, the chance of any collision is one in 300,000.
 */
export function createSeen() {
  // A random seed, because players choose their names and could choose two that collide.
  const seed = randomInt(2 ** 32);
  let capacity = 1 << 16;
  let slots = new Uint32Array(capacity * 2);
  let places = new Float64Array(capacity);
  let used = 0;

  function put(high: number, low: number, place: number): number | undefined {
    for (let slot = low & (capacity - 1); ; slot = (slot + 1) & (capacity - 1)) {
      const [a, b] = [slots[slot * 2], slots[slot * 2 + 1]];
      if (a === high && b === low) return places[slot];
      if (a !== 0 || b !== 0) continue;
      slots[slot * 2] = high;
      slots[slot * 2 + 1] = low;
      places[slot] = place;
      return undefined;
    }
  }

  function find(high: number, low: number): boolean {
    for (let slot = low & (capacity - 1); ; slot = (slot + 1) & (capacity - 1)) {
      const [a, b] = [slots[slot * 2], slots[slot * 2 + 1]];
      if (a === high && b === low) return true;
      if (a === 0 && b === 0) return false;
    }
  }

  function grow(): void {
    const [old, oldPlaces] = [slots, places];
    capacity *= 2;
    slots = new Uint32Array(capacity * 2);
    places = new Float64Array(capacity);
    for (let at = 0; at < old.length; at += 2) {
      const [high = 0, low = 0] = [old[at], old[at + 1]];
      if (high !== 0 || low !== 0) put(high, low, oldPlaces[at / 2] ?? 0);
    }
  }

  return {
    /** Returns undefined for a new name, otherwise the place it was first added with. */
    add(name: string, place: number) {
      const { high, low } = mix(name, seed);
      const earlier = put(high || 1, low, place); // all zeros mark an empty slot
      if (earlier === undefined && ++used > capacity * 0.6) grow();
      return earlier;
    },
    has(name: string) {
      const { high, low } = mix(name, seed);
      return find(high || 1, low);
    },
  };
}

export type Seen = ReturnType<typeof createSeen>;

/** Returns two interleaved 32-bit multiplicative hashes (cyrb53's rounds). A cryptographic hash would cost more than the rest. */
function mix(text: string, seed: number): { high: number; low: number } {
  let a = 0xdeadbeef ^ seed;
  let b = 0x41c6ce57 ^ seed;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return { high: b >>> 0, low: a >>> 0 };
}

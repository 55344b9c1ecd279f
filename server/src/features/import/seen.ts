import { hash } from 'node:crypto';

export interface Seen {
  /** True the first time a name is shown. */
  add(name: string): boolean;
}

/**
 * Remembers names by 64 bits of their hash: 16 bytes or so each, where a Set of texts would need a gigabyte for ten
 * million accounts. Among so many, the chance that any two are mistaken for each other is one in 300,000.
 */
export function createSeen(): Seen {
  let capacity = 1 << 16;
  let slots = new Uint32Array(capacity * 2);
  let used = 0;

  function place(high: number, low: number): boolean {
    for (let slot = low & (capacity - 1); ; slot = (slot + 1) & (capacity - 1)) {
      const [a, b] = [slots[slot * 2], slots[slot * 2 + 1]];
      if (a === high && b === low) return false;
      if (a !== 0 || b !== 0) continue;
      slots[slot * 2] = high;
      slots[slot * 2 + 1] = low;
      return true;
    }
  }

  function grow(): void {
    const old = slots;
    capacity *= 2;
    slots = new Uint32Array(capacity * 2);
    for (let at = 0; at < old.length; at += 2) {
      const [high = 0, low = 0] = [old[at], old[at + 1]];
      if (high !== 0 || low !== 0) place(high, low);
    }
  }

  return {
    add(name) {
      const digest = hash('sha1', name, 'buffer');
      // Never 0: that marks an empty slot.
      const isNew = place(digest.readUInt32LE(0) || 1, digest.readUInt32LE(4));
      if (isNew && ++used > capacity * 0.6) grow();
      return isNew;
    },
  };
}

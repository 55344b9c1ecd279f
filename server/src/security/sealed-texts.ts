import { createSealer, isSealed } from './sealer.ts';

/** Texts that stand in the database sealed where there is a key, and plainly otherwise. Both kinds are read all the time. */
export interface SealedTexts {
  seal(text: string, context: string): string;
  /** Undefined where none of the keys opens it. */
  open(stored: string, context: string): string | undefined;
}

export function createSealedTexts(keys: readonly string[] = []): SealedTexts {
  const sealer = keys.length === 0 ? undefined : createSealer(keys);
  return {
    seal: (text, context) => sealer?.seal(text, context) ?? text,
    open: (stored, context) => (isSealed(stored) ? sealer?.open(stored, context)?.bytes.toString() : stored),
  };
}

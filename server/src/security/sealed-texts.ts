import { createSealer, isSealed } from './sealer.ts';

/** Texts that are stored sealed if there is a key, and plain otherwise. Both forms can always be read. */
export interface SealedTexts {
  seal(text: string, context: string): string;
  /** Returns undefined if no key opens it. */
  open(stored: string, context: string): string | undefined;
}

export function createSealedTexts(keys: readonly string[] = []): SealedTexts {
  const sealer = keys.length === 0 ? undefined : createSealer(keys);
  return {
    seal: (text, context) => sealer?.seal(text, context) ?? text,
    open: (stored, context) => (isSealed(stored) ? sealer?.open(stored, context)?.bytes.toString() : stored),
  };
}

/** Secrets with two valid values during rotation. */
export type RotatedKey = 'callback' | 'signing' | 'encryption';

export type KeyGeneration = 'current' | 'previous';

/** Receives the generation of each used key, never the key; this shows when the previous one can be removed. */
export type OnKeyUsed = (key: RotatedKey, generation: KeyGeneration) => void;

/** Returns the generation of a key by its index in a list with the current key first. */
export function generationOf(index: number): KeyGeneration {
  return index === 0 ? 'current' : 'previous';
}

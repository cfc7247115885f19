/** Secrets of which two may be valid at the same time, while they are rotated. */
export type RotatedKey = 'callback' | 'signing' | 'encryption';

/** Which of the two it was. */
export type KeyGeneration = 'current' | 'previous';

/** Is told which key was of use, so that one knows when the previous one may go; never the key itself. */
export type OnKeyUsed = (key: RotatedKey, generation: KeyGeneration) => void;

/** Which one a key is by its place in its list, where the current one comes first. */
export function generationOf(index: number): KeyGeneration {
  return index === 0 ? 'current' : 'previous';
}

import type { Labels } from './labels.js';
import { ENGLISH } from './labels-en.js';
import { JAPANESE } from './labels-ja.js';

/** The words of a report in each language it can be printed in. */
export const LABELS: Readonly<Record<'en' | 'ja', Labels>> = { en: ENGLISH, ja: JAPANESE };

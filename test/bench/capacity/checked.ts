import { readFileSync } from 'node:fs';
import type { Checked } from './check.js';

/** The one file of the run that the model was held against; `npm run bench:capacity -- --check` writes it. */
export const CHECKED_FILE = new URL('checked.json', import.meta.url);

/** What that run came to. */
export function readChecked(): Checked {
  return JSON.parse(readFileSync(CHECKED_FILE, 'utf8')) as Checked; // written by that command
}

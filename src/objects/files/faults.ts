import { codesOf, describeError } from '../../errors.js';
import type { StoreFault } from '../store-fault.js';

const RIGHTS = 'Give the user of the gateway the right to write below DATA_DIR.';
const OBSTACLE = 'Something else lies below DATA_DIR where reports have to go. Remove it.';
const ROOM = 'The disk of DATA_DIR is full. Make room; old reports are removed by themselves.';
const FILES = 'The gateway may not open more files. Raise the limit (ulimit -n).';
const DISK = 'The disk of DATA_DIR cannot be used. Check it.';

/** Codes of the operating system (errno) for faults that last until an operator changes something. */
const REFUSALS: Readonly<Record<string, string>> = {
  EACCES: `Reports may not be stored. ${RIGHTS}`,
  EPERM: `Reports may not be stored. ${RIGHTS}`,
  EROFS: 'The file system of DATA_DIR is read-only. Mount it so that it can be written.',
  ENOTDIR: OBSTACLE,
  EISDIR: OBSTACLE,
  EEXIST: OBSTACLE,
};

/** Codes for faults that may end by themselves, such as a full disk once old reports are removed. */
const OUTAGES: Readonly<Record<string, string>> = { ENOSPC: ROOM, EDQUOT: ROOM, EMFILE: FILES, ENFILE: FILES };

/** Converts an error of the file system to a fault of the store. */
export function fileFaultOf(error: unknown): StoreFault {
  const [fault = DISK] = codesOf(error).flatMap((code) => REFUSALS[code] ?? OUTAGES[code] ?? []);
  const isRefusal = codesOf(error).some((code) => Object.hasOwn(REFUSALS, code));
  return { text: `${fault} (${describeError(error)})`, refusal: isRefusal };
}

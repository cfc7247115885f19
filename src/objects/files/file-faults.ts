import { byCode, describeError } from '../../base/errors.js';

const RIGHTS = 'Give the user of the gateway the right to write below DATA_DIR.';
const OBSTACLE = 'Something else lies below DATA_DIR where reports have to go. Remove it.';
const SPACE = 'The disk of DATA_DIR is full. Make room; old reports are removed by themselves.';
const FILES = 'The gateway may not open more files. Raise the limit (ulimit -n).';
const DISK = 'The disk of DATA_DIR cannot be used. Check it.';

/** Faults by code of the operating system (errno). */
const FAULTS: Readonly<Record<string, string>> = {
  EACCES: `Reports may not be stored. ${RIGHTS}`,
  EPERM: `Reports may not be stored. ${RIGHTS}`,
  EROFS: 'The file system of DATA_DIR is read-only. Mount it so that it can be written.',
  ENOTDIR: OBSTACLE,
  EISDIR: OBSTACLE,
  EEXIST: OBSTACLE,
  ENOSPC: SPACE,
  EDQUOT: SPACE,
  EMFILE: FILES,
  ENFILE: FILES,
};

/** Describes an error of the file system: the fault and what to change. */
export function fileFaultOf(error: unknown): string {
  return `${byCode(error, FAULTS) ?? DISK} (${describeError(error)})`;
}

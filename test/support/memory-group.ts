import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';

/** Place and file names of the two versions of control groups (Linux, "Control Group v2" and "Memory Resource Controller"). */
const VERSIONS = [
  { place: '/sys/fs/cgroup', limit: 'memory.max', peak: 'memory.peak' },
  { place: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes', peak: 'memory.max_usage_in_bytes' },
];

/**
 * Opens a control group whose programs may use so much memory together; the system ends them beyond it.
 *
 * @returns undefined where the machine lets nobody make one, as without root
 */
export async function openMemoryGroup(bytes: number) {
  for (const { place, limit, peak } of VERSIONS) {
    const directory = `${place}/gateway-test-${randomUUID()}`;
    try {
      await mkdir(directory);
    } catch {
      continue;
    }
    const close = (): Promise<void> => rmdir(directory);
    try {
      await writeFile(`${directory}/${limit}`, String(bytes), { flag: 'r+' });
    } catch {
      await close();
      continue;
    }
    return {
      /** A command and its arguments as members of the group from their start, when V8 chooses the size of its heap. */
      command: (...command: readonly string[]): readonly string[] => [
        '-c',
        `echo $$ > ${directory}/cgroup.procs && exec "$@"`,
        'sh',
        ...command,
      ],
      /** Most bytes in use at any time, pages of files that could have been given up included. */
      peak: async (): Promise<number> => Number(await readFile(`${directory}/${peak}`, 'utf8')),
      /** Call when the programs have ended. */
      close,
    };
  }
  return undefined;
}

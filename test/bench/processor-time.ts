import { readdirSync, readFileSync } from 'node:fs';

const NANOSECONDS = 1e6;

/** Processor time so far, in milliseconds, of the threads of a process and of its descendants that are still there. */
export function processorTimeOfTree(root: number): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readStat);
  const family = new Set([root]);
  // A child's number is mostly above its parent's, but numbers start again from below.
  for (let size = 0; size < family.size;) {
    size = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  }
  return processes.filter(({ pid }) => family.has(pid)).reduce((sum, { time }) => sum + time, 0);
}

/** Resident memory of a process, in MiB (proc(5), `status`). */
export function residentMiB(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1_024;
}

function readStat(name: string): { pid: number; parent: number; time: number }[] {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    // The program's name stands in parentheses and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // The times in `stat` are hundredths of a second, which is too coarse for some hundred requests.
    const times = readdirSync(`/proc/${name}/task`).map((thread) => {
      const [nanoseconds = ''] = readFileSync(`/proc/${name}/task/${thread}/schedstat`, 'utf8').split(' ');
      return Number(nanoseconds) / NANOSECONDS;
    });
    return [{ pid: Number(name), parent: Number(fields[1]), time: times.reduce((sum, time) => sum + time, 0) }];
  } catch {
    return []; // It has ended.
  }
}

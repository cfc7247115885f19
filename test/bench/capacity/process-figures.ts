import { readFileSync } from 'node:fs';

/** Ticks of the clock in which Linux counts processor time, a second (`sysconf(_SC_CLK_TCK)`, 100 everywhere). */
const TICKS_PER_SECOND = 100;

/** Processor time of a process with all its threads, in milliseconds (proc(5), `stat`). */
export function processorMsOf(pid: number): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [, , , , , , , , , , , user = 0, system = 0] = rest.split(' ').map(Number);
  return ((user + system) * 1_000) / TICKS_PER_SECOND;
}

/** Resident memory of a process, in MB (proc(5), `status`). */
export function memoryMbOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1_024);
}

import { readFileSync, readlinkSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** The name of the calling thread below `/proc`; undefined on systems other than Linux. */
export function ownTask(): string | undefined {
  try {
    return readlinkSync('/proc/thread-self');
  } catch {
    return undefined;
  }
}

/** The processor time that a thread of this process has used; undefined where the system does not say. */
export function processorMs(task: string | undefined): number | undefined {
  if (task === undefined) return undefined;
  try {
    const stat = readFileSync(`/proc/${task}/stat`, 'utf8');
    // The name of the thread, in parentheses, may hold spaces.
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    const ms = (user! + system!) * TICK_MS;
    return Number.isFinite(ms) ? ms : undefined;
  } catch {
    return undefined;
  }
}

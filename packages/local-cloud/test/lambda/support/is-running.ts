import { existsSync, readFileSync } from 'node:fs';

/** Whether a process still runs; a zombie does not count. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const status = `/proc/${pid}/status`;
  return !existsSync(status) || !/^State:\s+Z/m.test(readFileSync(status, 'latin1'));
}

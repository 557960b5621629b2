import { readFileSync } from 'node:fs';
import type { Environment } from './environment.ts';

const INTERVAL_MS = 50;
const MEGABYTE = 1024 * 1024;

/**
 * A process here maps the Node binary and shared libraries (about 60 MB resident before any code runs) that the small
 * machine of a real function holds outside its memory size to a good part; a function may use that much on top.
 */
export const NODE_BASELINE_MB = 64;

/**
 * Watches the resident memory of environments while they run and kills one that exceeds its function's memory size. On
 * Linux it reads the kernel's figure; elsewhere the environment reports its own, which a blocked event loop delays.
 */
export class MemoryWatch {
  readonly #running = new Map<Environment, { limitBytes: number; onExceeded: () => void }>();
  #timer: NodeJS.Timeout | undefined;

  watch(environment: Environment, memorySizeMb: number, onExceeded: () => void): () => void {
    this.#running.set(environment, { limitBytes: (memorySizeMb + NODE_BASELINE_MB) * MEGABYTE, onExceeded });
    this.#timer ??= setInterval(() => this.#look(), INTERVAL_MS);
    return () => {
      this.#running.delete(environment);
      if (this.#running.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  #look(): void {
    for (const [environment, { limitBytes, onExceeded }] of this.#running) {
      environment.sawMemory(residentBytes(environment.pid));
      if (environment.peakRssBytes > limitBytes) onExceeded();
    }
  }
}

function residentBytes(pid: number | undefined): number {
  if (process.platform !== 'linux' || pid === undefined) return 0;
  try {
    const resident = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Number(resident ?? 0) * 1024;
  } catch {
    // The process has just ended.
    return 0;
  }
}

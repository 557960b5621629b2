import { readFileSync } from 'node:fs';

const INTERVAL_MS = 50;
const MEGABYTE = 1024 * 1024;

/** The fastest expected growth: a process far below its limit is not checked before it could have reached it. */
const MAX_GROWTH_BYTES_PER_MS = 1.5 * MEGABYTE;
const MAX_UNSEEN_MS = 250;

/**
 * Every process maps the Node binary and shared libraries (about 60 MB resident before any code runs). On AWS most of
 * that does not count towards the function's memory, so a function may use this much more here.
 */
export const NODE_BASELINE_MB = 64;

/** A process whose memory is watched. */
export interface WatchedProcess {
  readonly pid: number | undefined;
  /** Peak resident memory. */
  readonly peakRssBytes: number;
  sawMemory(rssBytes: number): void;
}

/**
 * Watches the resident memory of processes and reports one that exceeds its memory size. On Linux it reads the kernel's
 * figure; elsewhere it only watches functions that report their own.
 */
export class MemoryWatch {
  readonly #running = new Map<WatchedProcess, { limitBytes: number; lookAt: number; onExceeded: () => void }>();
  #timer: NodeJS.Timeout | undefined;

  watch(watched: WatchedProcess, memorySizeMb: number, onExceeded: () => void): () => void {
    this.#running.set(watched, { limitBytes: (memorySizeMb + NODE_BASELINE_MB) * MEGABYTE, lookAt: 0, onExceeded });
    this.#timer ??= setInterval(() => this.#look(), INTERVAL_MS);
    return () => {
      this.#running.delete(watched);
      if (this.#running.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  #look(): void {
    const now = performance.now();
    for (const [watched, limit] of this.#running) {
      if (now < limit.lookAt) continue;
      const resident = residentBytes(watched.pid);
      watched.sawMemory(resident);
      limit.lookAt = now + Math.min(MAX_UNSEEN_MS, (limit.limitBytes - resident) / MAX_GROWTH_BYTES_PER_MS);
      if (watched.peakRssBytes > limit.limitBytes) limit.onExceeded();
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

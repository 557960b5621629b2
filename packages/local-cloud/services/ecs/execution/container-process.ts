import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { WatchedProcess } from '../../../core/memory-watch.ts';

/** How a container ended; 137 and 143 are the exit codes of signals. */
export interface ContainerEnd {
  exitCode: number;
}

const SIGNAL_NUMBERS: Partial<Record<NodeJS.Signals, number>> = {
  SIGINT: 2,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGTERM: 15,
};

/** A container's program as a process of this machine, in a process group of its own. */
export class ContainerProcess implements WatchedProcess {
  readonly pid: number | undefined;
  peakRssBytes = 0;
  /** Resolves when the process has ended; rejects if it could not be started. */
  readonly ended: Promise<ContainerEnd>;
  readonly #child: ChildProcess;

  constructor(launch: {
    /** `node` and its arguments. */
    program: readonly string[];
    workingFolder: string;
    variables: Record<string, string>;
    onLine(line: string): void;
  }) {
    this.#child = spawn(process.execPath, launch.program.slice(1), {
      cwd: launch.workingFolder,
      env: launch.variables,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      windowsHide: true,
    });
    this.pid = this.#child.pid;
    for (const output of [this.#child.stdout, this.#child.stderr]) {
      if (output) createInterface({ input: output }).on('line', (line) => launch.onLine(line));
    }
    this.ended = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      // Not `close`: a descendant that keeps stdout open would delay it forever.
      this.#child.once('exit', (code, signal) =>
        resolve({ exitCode: code ?? 128 + (SIGNAL_NUMBERS[signal as NodeJS.Signals] ?? 0) }),
      );
    });
    this.ended.catch(() => undefined);
  }

  sawMemory(rssBytes: number): void {
    if (rssBytes > this.peakRssBytes) this.peakRssBytes = rssBytes;
  }

  /** Sends the signal to the program; SIGKILL goes to its whole process group. */
  signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (this.pid === undefined) return;
    try {
      process.kill(signal === 'SIGKILL' ? -this.pid : this.pid, signal);
    } catch {
      // It has already ended, or the platform has no process groups.
      if (signal === 'SIGKILL') this.#child.kill('SIGKILL');
    }
  }
}

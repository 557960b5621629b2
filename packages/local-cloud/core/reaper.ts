import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./reaper.mjs', import.meta.url));

/** Ensures that no guarded process group outlives this process, even if it is killed; started with the first group. */
export class Reaper {
  #process: ChildProcess | undefined;

  guard(pid: number): void {
    this.#process ??= this.#start();
    this.#process.stdin?.write(`+${pid}\n`);
  }

  release(pid: number): void {
    this.#process?.stdin?.write(`-${pid}\n`);
  }

  close(): void {
    this.#process?.stdin?.end();
  }

  #start(): ChildProcess {
    // Detached, so that a signal to the group of this process does not stop the reaper first.
    const child = spawn(process.execPath, [PROGRAM], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: {},
      detached: true,
      windowsHide: true,
    });
    child.on('error', () => {});
    child.stdin?.on('error', () => {});
    child.unref();
    return child;
  }
}

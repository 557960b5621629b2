import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./reaper.mjs', import.meta.url));

/** Makes sure that no guarded process group outlives this process, even when it is killed; started with the first one. */
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
    // Detached: a signal to the whole group of this process must not take the reaper first.
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

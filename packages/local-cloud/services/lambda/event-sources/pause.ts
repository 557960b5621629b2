import type { Clock } from '../../../core/clock.ts';

/** Waits by the given clock; ends early, without an error, if the signal aborts. */
export function pause(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = clock.schedule(clock.now() + milliseconds, finish);
    signal?.addEventListener('abort', finish);
  });
}

/** A flag that one side raises and the other awaits; raising it early is not lost. */
export class Wake {
  #raised = false;
  #notify: (() => void) | undefined;

  raise(): void {
    this.#raised = true;
    this.#notify?.();
  }

  /** Resolves when raised, at `deadline` (epoch ms) at the latest, or when the signal aborts; lowers the flag. */
  async wait(signal: AbortSignal, limit?: { clock: Clock; deadline: number }): Promise<void> {
    if (!this.#raised && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const finish = () => {
          cancel?.();
          signal.removeEventListener('abort', finish);
          this.#notify = undefined;
          resolve();
        };
        const cancel = limit?.clock.schedule(limit.deadline, finish);
        this.#notify = finish;
        signal.addEventListener('abort', finish);
      });
    }
    this.#raised = false;
  }
}

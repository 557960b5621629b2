import { AwsError } from '../../../core/aws-error.ts';
import { expectedMb } from './expected-memory.ts';

const NO_MEMORY = 'ConcurrentInvocationLimitExceeded';

/**
 * Counts running invocations against their function's reserved concurrency and, by their expected memory, against this
 * machine's memory. Because that is far below the concurrency of an AWS account, calls wait for it before they are
 * throttled.
 */
export class Concurrency {
  readonly #memoryMb: number;
  readonly #waitMs: number;
  readonly #reservations: () => ReadonlyMap<string, number>;
  readonly #running = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  #takenMb = 0;

  constructor(limits: { memoryMb: number; waitMs: number }, reservations: () => ReadonlyMap<string, number>) {
    this.#memoryMb = limits.memoryMb;
    this.#waitMs = limits.waitMs;
    this.#reservations = reservations;
  }

  /** Why a call of this function would be throttled now; undefined if it would not. */
  obstacle(functionName: string): string | undefined {
    const reserved = this.#reservations().get(functionName);
    if (reserved !== undefined && this.#count(functionName) >= reserved) {
      return 'ReservedFunctionConcurrentInvocationLimitExceeded';
    }
    return this.#takenMb >= this.#memoryMb ? NO_MEMORY : undefined;
  }

  /**
   * Takes a place and returns the function that releases it. Throws `TooManyRequestsException` if there is none, or if
   * no memory becomes free in time.
   */
  async enter(functionName: string, { memorySizeMb }: { memorySizeMb: number }): Promise<() => void> {
    const expected = expectedMb(memorySizeMb);
    if (this.#waitMs > 0 && this.obstacle(functionName) === NO_MEMORY) {
      const signal = AbortSignal.timeout(this.#waitMs);
      // Of several calls that wait, another may take the place first.
      while (this.obstacle(functionName) === NO_MEMORY && !signal.aborted) await this.whenFree(functionName, signal);
    }
    const obstacle = this.obstacle(functionName);
    if (obstacle) throw throttled(obstacle);
    this.#running.set(functionName, this.#count(functionName) + 1);
    this.#takenMb += expected;
    return () => {
      const left = this.#count(functionName) - 1;
      if (left > 0) this.#running.set(functionName, left);
      else this.#running.delete(functionName);
      this.#takenMb -= expected;
      for (const listener of this.#listeners) listener();
    };
  }

  /** Calls back after each release until the returned function is called. */
  onFree(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when a call of this function would not be throttled, or if the signal aborts. */
  async whenFree(functionName: string, signal: AbortSignal): Promise<void> {
    while (this.obstacle(functionName) && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const finish = () => {
          stopListening();
          signal.removeEventListener('abort', finish);
          resolve();
        };
        const stopListening = this.onFree(finish);
        signal.addEventListener('abort', finish);
      });
    }
  }

  #count(functionName: string): number {
    return this.#running.get(functionName) ?? 0;
  }
}

export function throttled(reason: string): AwsError {
  return new AwsError('TooManyRequestsException', 'Rate Exceeded.', {
    status: 429,
    fields: { Type: 'User', Reason: reason },
  });
}

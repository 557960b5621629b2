import { AwsError } from '../../../core/aws-error.ts';

/**
 * Counts running invocations, against the reserved concurrency of their function and against the number of processes
 * that this machine can bear, which is far below the concurrency of an AWS account.
 */
export class Concurrency {
  readonly #limit: number;
  readonly #reservations: () => ReadonlyMap<string, number>;
  readonly #running = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  #total = 0;

  constructor(limit: number, reservations: () => ReadonlyMap<string, number>) {
    this.#limit = limit;
    this.#reservations = reservations;
  }

  /** Why a call of this function would be throttled now, if it would be. */
  obstacle(functionName: string): string | undefined {
    const reserved = this.#reservations().get(functionName);
    if (reserved !== undefined && this.#count(functionName) >= reserved) {
      return 'ReservedFunctionConcurrentInvocationLimitExceeded';
    }
    return this.#total >= this.#limit ? 'ConcurrentInvocationLimitExceeded' : undefined;
  }

  /** Takes a place and answers the function that gives it back. Throws `TooManyRequestsException` when there is none. */
  enter(functionName: string): () => void {
    const obstacle = this.obstacle(functionName);
    if (obstacle) throw throttled(obstacle);
    this.#running.set(functionName, this.#count(functionName) + 1);
    this.#total += 1;
    return () => {
      const left = this.#count(functionName) - 1;
      if (left > 0) this.#running.set(functionName, left);
      else this.#running.delete(functionName);
      this.#total -= 1;
      for (const listener of this.#listeners) listener();
    };
  }

  /** Calls back whenever a place became free, until the returned function is called. */
  onFree(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when a call of this function would not be throttled, or when the signal aborts. */
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

import { AwsError } from '../../../core/aws-error.ts';
import { expectedMb } from './room.ts';

/**
 * Counts running invocations, against the reserved concurrency of their function and, by the room that each is expected to
 * take, against the memory of this machine, which ends far below the concurrency of an AWS account.
 */
export class Concurrency {
  readonly #roomMb: number;
  readonly #reservations: () => ReadonlyMap<string, number>;
  readonly #running = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  #takenMb = 0;

  constructor(roomMb: number, reservations: () => ReadonlyMap<string, number>) {
    this.#roomMb = roomMb;
    this.#reservations = reservations;
  }

  /** Why a call of this function would be throttled now, if it would be. */
  obstacle(functionName: string): string | undefined {
    const reserved = this.#reservations().get(functionName);
    if (reserved !== undefined && this.#count(functionName) >= reserved) {
      return 'ReservedFunctionConcurrentInvocationLimitExceeded';
    }
    return this.#takenMb >= this.#roomMb ? 'ConcurrentInvocationLimitExceeded' : undefined;
  }

  /** Takes a place and answers the function that gives it back. Throws `TooManyRequestsException` when there is none. */
  enter(functionName: string, { memorySizeMb }: { memorySizeMb: number }): () => void {
    const expected = expectedMb(memorySizeMb);
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

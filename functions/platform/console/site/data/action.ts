import { useSignal } from '@preact/signals';
import { type Problem, problemOf } from './problem.ts';

export interface Action<A extends unknown[]> {
  /** Does it, once at a time. Resolves to whether it succeeded. */
  run(...given: A): Promise<boolean>;
  isRunning: boolean;
  /** Why the last one failed. */
  problem: Problem | undefined;
  clear(): void;
}

/** A change that a person makes: `const rename = useAction((name: string) => api.pipelines.update(id, { name }))`. */
export function useAction<A extends unknown[]>(work: (...given: A) => Promise<unknown>): Action<A> {
  const isRunning = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  return {
    isRunning: isRunning.value,
    problem: problem.value,
    clear: () => {
      problem.value = undefined;
    },
    async run(...given) {
      if (isRunning.peek()) return false;
      isRunning.value = true;
      problem.value = undefined;
      try {
        await work(...given);
        return true;
      } catch (error) {
        problem.value = problemOf(error);
        return false;
      } finally {
        isRunning.value = false;
      }
    },
  };
}

import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { type Problem, problemOf } from './problem.ts';

export interface Action<A extends unknown[]> {
  /** Does it. While it runs, another call is ignored, such as by a double click. Resolves to whether it succeeded. */
  run(...given: A): Promise<boolean>;
  isRunning: boolean;
  /** Why the last one failed. */
  problem: Problem | undefined;
  clear(): void;
}

interface Choices {
  /** Of several controls: calls with other arguments wait for their turn, and only the same ones are ignored. */
  isShared?: boolean;
}

/** A change that a person makes: `const rename = useAction((name: string) => api.pipelines.update(id, { name }))`. */
export function useAction<A extends unknown[]>(
  work: (...given: A) => Promise<unknown>,
  { isShared = false }: Choices = {},
): Action<A> {
  const isRunning = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const turns = useMemo<{ given: A[]; last: Promise<unknown> }>(() => ({ given: [], last: Promise.resolve() }), []);
  const doIt = async (given: A): Promise<boolean> => {
    try {
      await work(...given);
      return true;
    } catch (error) {
      problem.value = problemOf(error);
      return false;
    } finally {
      turns.given = turns.given.filter((each) => each !== given);
      isRunning.value = turns.given.length > 0;
    }
  };
  return {
    isRunning: isRunning.value,
    problem: problem.value,
    clear: () => {
      problem.value = undefined;
    },
    async run(...given) {
      if (turns.given.some((each) => !isShared || isSame(each, given))) return false;
      const isFirst = turns.given.length === 0;
      turns.given.push(given);
      isRunning.value = true;
      if (isFirst) problem.value = undefined;
      const turn = isFirst ? doIt(given) : turns.last.then(() => doIt(given));
      turns.last = turn;
      return turn;
    },
  };
}

/** Functions do not tell two calls apart: what does is given beside them. */
const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length &&
  one.every((value, index) => Object.is(value, other[index]) || typeof value === 'function');

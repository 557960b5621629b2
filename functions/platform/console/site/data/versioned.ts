import { type Signal, useSignal } from '@preact/signals';
import { type Action, useAction } from './action.ts';

interface Versioned {
  revision: number;
}

export interface Edit<T extends Versioned, A extends unknown[]> extends Action<A> {
  /** The record as another person has saved it since this edit began. */
  theirs: T | undefined;
  /** Saves over the other person's change. */
  keepMine(...given: A): Promise<boolean>;
  /** Continues with the other person's change. */
  takeTheirs(): void;
}

/**
 * A change of a versioned record, based on the revision that the edit began with. If another person was faster, nothing
 * is saved: `theirs` is the record to compare with. Several forms of one record share its revision.
 */
export function useEdit<T extends Versioned, A extends unknown[]>(
  record: T,
  read: () => Promise<T>,
  save: (ifMatch: number, ...given: A) => Promise<Versioned>,
  shared?: Signal<number>,
): Edit<T, A> {
  const own = useSignal(record.revision);
  const base = shared ?? own;
  const theirs = useSignal<T | undefined>(undefined);
  const action = useAction(async (...given: A) => {
    try {
      base.value = (await save(base.peek(), ...given)).revision;
      theirs.value = undefined;
    } catch (error) {
      if ((error as { status?: number }).status === 412) theirs.value = await read();
      throw error;
    }
  });
  return {
    ...action,
    theirs: theirs.value,
    keepMine: (...given) => {
      base.value = theirs.peek()?.revision ?? base.peek();
      return action.run(...given);
    },
    takeTheirs: () => {
      base.value = theirs.peek()?.revision ?? base.peek();
      theirs.value = undefined;
      action.clear();
    },
  };
}

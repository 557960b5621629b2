import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Action, useAction } from './action.ts';

interface Versioned {
  revision: number;
  /** Absent if the record is the only one of its kind. */
  id?: string;
}

export interface Edit<T extends Versioned, A extends unknown[]> extends Action<A> {
  /** The record as another person has saved it since this edit began. */
  theirs: T | undefined;
  /** The record that the draft began with: as it was then, or theirs once the person has decided. */
  before(): T;
  /** The revision that the next change is based on. */
  revision(): number;
  /** Saves over the other person's change. */
  keepMine(...given: A): Promise<boolean>;
  /** Continues with the other person's change. */
  takeTheirs(): void;
}

/** The revisions that the open forms of records are based on. */
const open = new Set<{ id: string; base: Signal<number> }>();

/**
 * After a change of a record by this page: forms of the record that are based on the revision before it continue from
 * the new one, since no other person has changed anything.
 */
export function rebaseForms(id: string | undefined, from: number, to: number): void {
  for (const form of open) if (form.id === id && form.base.peek() === from) form.base.value = to;
}

/**
 * A change of a versioned record, based on the revision that the edit began with. If another person was faster, nothing
 * is saved: `theirs` is the record to compare with.
 */
export function useEdit<T extends Versioned, A extends unknown[]>(
  record: T,
  read: () => Promise<T>,
  save: (ifMatch: number, ...given: A) => Promise<Versioned>,
  shared?: Signal<number>,
): Edit<T, A> {
  const own = useSignal(record.revision);
  const base = shared ?? own;
  const { id } = record;
  useEffect(() => {
    if (id === undefined) return;
    const form = { id, base };
    open.add(form);
    return () => {
      open.delete(form);
    };
  }, [id, base]);
  const before = useSignal(record);
  const theirs = useSignal<T | undefined>(undefined);
  const action = useAction(async (...given: A) => {
    const from = base.peek();
    try {
      const { revision } = await save(from, ...given);
      base.value = revision;
      rebaseForms(id, from, revision);
      theirs.value = undefined;
    } catch (error) {
      if ((error as { status?: number }).status === 412) theirs.value = await read();
      throw error;
    }
  });
  const decide = () => {
    before.value = theirs.peek() ?? before.peek();
    base.value = theirs.peek()?.revision ?? base.peek();
  };
  return {
    ...action,
    theirs: theirs.value,
    before: () => before.peek(),
    revision: () => base.peek(),
    keepMine: (...given) => {
      decide();
      return action.run(...given);
    },
    takeTheirs: () => {
      decide();
      theirs.value = undefined;
      action.clear();
    },
  };
}

import { AsyncLocalStorage } from 'node:async_hooks';

/** Whether the work is a rehearsal, for as long as it lasts. */
const rehearsals = new AsyncLocalStorage<true>();

/** Ends a rehearsal at its first write. */
class Rehearsed extends Error {}

/**
 * Runs the work up to its first write to the table, which is not made: the work has then passed the checks that come
 * before a change. Returns whether it got there or ended by itself; throws what it throws.
 */
export async function rehearse(work: () => Promise<unknown>): Promise<void> {
  try {
    await rehearsals.run(true, work);
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error;
  }
}

const WRITES: ReadonlySet<string> = new Set([
  'PutItemCommand',
  'UpdateItemCommand',
  'DeleteItemCommand',
  'TransactWriteItemsCommand',
  'BatchWriteItemCommand',
]);

/** Called with every command of the table before it is sent. */
export function assertNotRehearsed(commandName: string | undefined): void {
  if (rehearsals.getStore() && WRITES.has(commandName ?? '')) throw new Rehearsed('a rehearsal has reached its write');
}

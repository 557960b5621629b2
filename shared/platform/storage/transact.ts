import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Table, TransactItem } from './table.ts';

const MAX_TRIES = 10;

const maxPauseMs = (tries: number) => Math.min(10 * 2 ** tries, 500);

/** The total pause of a writer that meets a conflict on every try, before it gives up. */
export const MAX_TOTAL_PAUSE_MS = Array.from({ length: MAX_TRIES - 1 }, (_, index) => maxPauseMs(index + 1)).reduce(
  (sum, ms) => sum + ms,
);

/**
 * Writes all items or none. Two concurrent transactions on an item cancel each other although no condition failed; such
 * a conflict is retried after a short random pause. A failed condition is thrown unchanged (see `failedConditions`).
 */
export async function transact(table: Table, items: TransactItem[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await table.db.send(new TransactWriteCommand({ TransactItems: items }));
      return;
    } catch (cause) {
      if (tries === MAX_TRIES || !onlyConflicts(cause)) throw cause;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * maxPauseMs(tries)));
    }
  }
}

/** Whether nothing but concurrent transactions on the same items kept a transaction from being written. */
export function onlyConflicts(cause: unknown): boolean {
  if (!(cause instanceof TransactionCanceledException)) return false;
  const codes = (cause.CancellationReasons ?? []).map((reason) => reason.Code ?? 'None');
  return (
    codes.includes('TransactionConflict') && codes.every((code) => code === 'None' || code === 'TransactionConflict')
  );
}

/** Positions in the transaction whose conditions failed; empty when `cause` is another failure. */
export function failedConditions(cause: unknown): Set<number> {
  if (!(cause instanceof TransactionCanceledException)) return new Set();
  return new Set(
    (cause.CancellationReasons ?? []).flatMap((reason, index) =>
      reason.Code === 'ConditionalCheckFailed' ? [index] : [],
    ),
  );
}

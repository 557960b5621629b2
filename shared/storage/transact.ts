import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Table, TransactItem } from './table.ts';

const MOST_TRIES = 10;

/**
 * Writes all items or none. Two transactions that meet on an item cancel each other although no condition failed; that is
 * tried again after a short random wait. A failed condition is thrown as it came (see `failedConditions`).
 */
export async function transact(table: Table, items: TransactItem[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await table.db.send(new TransactWriteCommand({ TransactItems: items }));
      return;
    } catch (cause) {
      if (tries === MOST_TRIES || !onlyConflicts(cause)) throw cause;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(10 * 2 ** tries, 500)));
    }
  }
}

function onlyConflicts(cause: unknown): boolean {
  if (!(cause instanceof TransactionCanceledException)) return false;
  const codes = (cause.CancellationReasons ?? []).map((reason) => reason.Code ?? 'None');
  return (
    codes.includes('TransactionConflict') && codes.every((code) => code === 'None' || code === 'TransactionConflict')
  );
}

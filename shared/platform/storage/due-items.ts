import type { Key } from './keys.ts';
import { queryItems } from './query-items.ts';
import { BY_DUE, type Table } from './table.ts';

export interface DueItem extends Key {
  dueAt: string;
}

/** Items of one partition of the due index that are due by `until`, the longest overdue first. */
export function dueItems(table: Table, partition: string, until: Date): AsyncGenerator<DueItem> {
  return queryItems(table, {
    IndexName: BY_DUE,
    KeyConditionExpression: '#due = :due AND dueAt <= :until',
    ExpressionAttributeNames: { '#due': 'due' },
    ExpressionAttributeValues: { ':due': partition, ':until': until.toISOString() },
  }) as AsyncGenerator<DueItem>;
}

export interface Failure {
  item: string;
  error: Error;
}

/** Works on the items a few at a time; one that fails does not stop the others. */
export async function workOnDue(
  items: AsyncIterable<DueItem>,
  work: (item: DueItem) => Promise<void>,
  report: (failure: Failure) => void,
): Promise<Failure[]> {
  const failures: Failure[] = [];
  const inHand = new Set<Promise<void>>();
  for await (const item of items) {
    const task = work(item)
      .catch((error: Error) => {
        const failure = { item: `${item.pk} ${item.sk}`, error };
        failures.push(failure);
        report(failure);
      })
      .finally(() => inHand.delete(task));
    inHand.add(task);
    if (inHand.size >= 10) await Promise.race(inHand);
  }
  await Promise.all(inHand);
  return failures;
}

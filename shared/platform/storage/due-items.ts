import type { Key } from './keys.ts';
import { queryItems } from './query-items.ts';
import { BY_DUE, type Table } from './table.ts';

export interface DueItem extends Key {
  dueAt: string;
}

/** As many as fit into the memory of a function; the next round finds the others. */
const MAX_DUE = 50_000;

/** Items of one partition of the due index that are due by `until`, the longest overdue first. */
export function dueItems(table: Table, partition: string, until: Date): AsyncGenerator<DueItem> {
  const query = {
    IndexName: BY_DUE,
    KeyConditionExpression: '#due = :due AND dueAt <= :until',
    ExpressionAttributeNames: { '#due': 'due' },
    ExpressionAttributeValues: { ':due': partition, ':until': until.toISOString() },
  };
  return queryItems(table, query, MAX_DUE) as AsyncGenerator<DueItem>;
}

export interface Failure {
  item: string;
  error: Error;
}

/**
 * Works on the items a few at a time; one that fails does not stop the others. The workspaces take turns, so that one
 * with many items does not delay the others. Once `isOver` is true no further item is started.
 */
export async function workOnDue(
  items: AsyncIterable<DueItem> | Iterable<DueItem>,
  work: (item: DueItem) => Promise<void>,
  report: (failure: Failure) => void,
  isOver: () => boolean = () => false,
): Promise<Failure[]> {
  const failures: Failure[] = [];
  const inHand = new Set<Promise<void>>();
  for (const item of takingTurns(await Array.fromAsync(items), workspaceOf)) {
    if (isOver()) break;
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

/** The workspace of an item, the second part of its key. */
export const workspaceOf = ({ pk }: DueItem): string => pk.split('#')[1] ?? '';

/** The first item of each group, then the second of each, and so on. */
export function* takingTurns<T>(items: readonly T[], groupOf: (item: T) => string): Generator<T> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(groupOf(item));
    if (group) group.push(item);
    else groups.set(groupOf(item), [item]);
  }
  for (let turn = 0; groups.size > 0; turn++) {
    for (const [name, group] of groups) {
      if (turn < group.length) yield group[turn]!;
      else groups.delete(name);
    }
  }
}

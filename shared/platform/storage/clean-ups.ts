import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { ifHolds } from './if-holds.ts';
import { type Key, workspaceKey } from './keys.ts';
import type { Table, TransactItem } from './table.ts';

/** The partition of the due index. */
export const CLEAN_UP_PARTITION = 'clean-up';

/** How long a request works on the clean-up of what it ended; the worker does the rest. */
const REQUEST_MS = 200;

/** What has ended, such as a deleted group: its kind, and the members that name it. */
export type Ended = { workspaceId: string; kind: string } & { [member: string]: string | undefined };

/** What a domain removes when something of the kind has ended. Several domains may register for one kind. */
export interface CleanUp<E extends Ended = Ended> {
  kind: E['kind'];
  /**
   * May be repeated, and run beside another one for the same. Returns false if something is left once `isOver` is true.
   * `cleanUpAlso` works on the clean-up of something else that ended with it, as far as the time allows.
   */
  remove(table: Table, ended: E, isOver: () => boolean, cleanUpAlso: (ended: Ended) => Promise<void>): Promise<boolean>;
}

/** Must be part of the transaction that ends it, so that a crash afterwards leaves nothing behind. */
export function cleanUpItem<E extends Ended>(table: Table, ended: E, at: Date): TransactItem {
  const due = { due: CLEAN_UP_PARTITION, dueAt: at.toISOString() };
  return { Put: { TableName: table.name, Item: { ...keyOf(ended), entity: 'clean-up', ended, ...due } } };
}

/**
 * Removes what the given clean-ups know, for a short time. The item stays, because other domains may have something to
 * remove as well: the worker does the rest, also after an error, which is only reported.
 */
export async function cleanUpNow(
  table: Table,
  cleanUps: readonly CleanUp[],
  ended: Ended,
  report: (error: Error) => void,
): Promise<void> {
  const until = performance.now() + REQUEST_MS;
  try {
    await removeRest(table, cleanUps, ended, () => performance.now() > until);
  } catch (error) {
    report(error as Error);
  }
}

/**
 * The worker's part, with the clean-ups of all domains. May be repeated, and run beside another one for the same item.
 */
export async function cleanUpItemAt(
  table: Table,
  cleanUps: readonly CleanUp[],
  { pk, sk }: Key,
  isOver: () => boolean,
): Promise<void> {
  const Key = { pk, sk };
  const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  if (!found.Item) return;
  const ended = found.Item.ended as Ended;
  if (!cleanUps.some(({ kind }) => kind === ended.kind)) throw new Error(`no clean-up is known for "${ended.kind}"`);
  if (!(await removeRest(table, cleanUps, ended, isOver))) return;
  // Something that was restored and deleted again meanwhile has the same item with a later time, and is due then.
  const unchanged = {
    ConditionExpression: 'dueAt = :dueAt',
    ExpressionAttributeValues: { ':dueAt': found.Item.dueAt },
  };
  await ifHolds(table.db.send(new DeleteCommand({ TableName: table.name, Key, ...unchanged })));
}

async function removeRest(
  table: Table,
  cleanUps: readonly CleanUp[],
  ended: Ended,
  isOver: () => boolean,
): Promise<boolean> {
  const cleanUpAlso = async (also: Ended) => {
    if (!isOver()) await removeRest(table, cleanUps, also, isOver);
  };
  for (const { kind, remove } of cleanUps) {
    if (kind === ended.kind && !(await remove(table, ended, isOver, cleanUpAlso))) return false;
  }
  return true;
}

/** One item for each thing that ended, however often that is repeated. */
function keyOf({ workspaceId, kind, ...members }: Ended): Key {
  const names = Object.keys(members).sort();
  return workspaceKey(workspaceId, 'CLEAN-UP', [kind, ...names.flatMap((name) => members[name] ?? [])].join('#'));
}

import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { inParallel } from '../../../../platform/concurrency/in-parallel.ts';
import { AppError } from '../../../../platform/errors/app-error.ts';
import { type CleanUp, cleanUpItem } from '../../../../platform/storage/clean-ups.ts';
import { deleteItems } from '../../../../platform/storage/delete-items.ts';
import { ifHolds } from '../../../../platform/storage/if-holds.ts';
import { type Key, workspaceKey } from '../../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../../platform/storage/query-items.ts';
import type { Table, TransactItem } from '../../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../../platform/storage/transact.ts';
import { updateOf } from '../../../../platform/storage/update.ts';

/**
 * An import of terms is too large for one transaction. It keeps all other changes of terms away, stores everything that
 * it will write in parts, and is decided once they are stored: from then on each part is written in a transaction that
 * also removes the part, by the request or, after a crash, by the worker. So an import takes effect as a whole or not
 * at all, and no part of it twice.
 */
export interface RunningImport {
  workspaceId: string;
  importId: string;
}

/** An import whose parts are not stored by then will never be: its function has ended. */
const PREPARING_MS = 60_000;
/** The part itself is one of the hundred items of a transaction. */
const MAX_PART_ITEMS = 99;
/** DynamoDB's limit for an item is 400 KB. */
const MAX_PART_BYTES = 350_000;
const WIDTH = 4;

export interface EndedImport {
  [member: string]: string | undefined;
  kind: 'term-import';
  workspaceId: string;
  importId: string;
}

const importKey = (workspaceId: string): Key => workspaceKey(workspaceId, 'TERM-IMPORT', 'RUNNING');
const partKey = ({ workspaceId, importId }: RunningImport, sk: string): Key =>
  workspaceKey(workspaceId, `TERM-IMPORT#${importId}`, sk);

/** For transactions that change terms: fails while an import is running. */
export const noImport = (table: Table, workspaceId: string): TransactItem => ({
  ConditionCheck: {
    TableName: table.name,
    Key: importKey(workspaceId),
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

/** Throws `TERM_IMPORT_RUNNING`. */
export async function assertNoImport(table: Table, workspaceId: string): Promise<void> {
  if (await readState(table, workspaceId)) throw new AppError('TERM_IMPORT_RUNNING');
}

const workLater = (table: Table, running: RunningImport, at: Date): TransactItem => {
  const ended: EndedImport = { kind: 'term-import', ...running };
  return cleanUpItem(table, ended, at);
};

/** Lets the worker write the rest of a decided import. */
export const continueImport = (table: Table, running: RunningImport): Promise<void> =>
  transact(table, [workLater(table, running, table.now())]);

/** From now on the terms stay as they are, until the import is abandoned or written. Throws `TERM_IMPORT_RUNNING`. */
export async function beginImport(table: Table, running: RunningImport): Promise<void> {
  const { workspaceId, importId } = running;
  const until = new Date(table.now().getTime() + PREPARING_MS);
  try {
    await transact(table, [
      {
        Put: {
          TableName: table.name,
          Item: {
            ...importKey(workspaceId),
            ...{ entity: 'term-import', importId, state: 'preparing', until: until.toISOString() },
          },
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      },
      workLater(table, running, until),
    ]);
  } catch (cause) {
    if (failedConditions(cause).has(0)) throw new AppError('TERM_IMPORT_RUNNING', { cause });
    throw cause;
  }
}

/** Stores what the import writes, and decides that it takes place. Throws `TERM_IMPORT_RUNNING` if it took too long. */
export async function decideImport(
  table: Table,
  running: RunningImport,
  items: readonly TransactItem[],
): Promise<void> {
  const parts = partsOf(items);
  await inParallel(WIDTH, [...parts.entries()], async ([index, content]) => {
    const Item = { ...partKey(running, String(index).padStart(6, '0')), entity: 'term-import-part', content };
    await table.db.send(new PutCommand({ TableName: table.name, Item }));
  });
  const update = updateOf(
    table,
    importKey(running.workspaceId),
    { set: { state: 'writing' } },
    { equals: { importId: running.importId, state: 'preparing' } },
  );
  if (!(await ifHolds(table.db.send(new UpdateCommand(update))))) throw new AppError('TERM_IMPORT_RUNNING');
}

/** Writes the parts that are left. May be repeated and run beside another one. Returns false once `isOver` is true. */
export async function writeImport(table: Table, running: RunningImport, isOver: () => boolean): Promise<boolean> {
  let isLeft = false;
  const parts = await Array.fromAsync(itemsBelow(table, partKey(running, '')));
  await inParallel(WIDTH, parts, async ({ pk, sk, content }) => {
    if (isOver()) isLeft = true;
    else await writePart(table, { pk: pk as string, sk: sk as string }, JSON.parse(content as string));
  });
  if (isLeft) return false;
  await endImport(table, running, 'writing');
  return true;
}

async function writePart(table: Table, key: Key, items: TransactItem[]): Promise<void> {
  const removal: TransactItem = {
    Delete: { TableName: table.name, Key: key, ConditionExpression: 'attribute_exists(pk)' },
  };
  try {
    await transact(table, [removal, ...items]);
  } catch (cause) {
    const failed = failedConditions(cause);
    // Another worker has written the part.
    if (failed.has(0)) return;
    if (failed.size === 0) throw cause;
    // Not a term, whose changes wait: what is stored beside it, such as a certification, keeps its newer state.
    await writePart(
      table,
      key,
      items.filter((_item, index) => !failed.has(index + 1)),
    );
  }
}

/** Gives up an import unless it is decided: only then are its parts nothing but waste. */
export async function abandonImport(table: Table, running: RunningImport): Promise<void> {
  if (await endImport(table, running, 'preparing')) await removeParts(table, running, () => false);
}

async function removeParts(table: Table, running: RunningImport, isOver: () => boolean): Promise<boolean> {
  const parts = await Array.fromAsync(itemsBelow(table, partKey(running, '')));
  return deleteItems(
    table,
    parts.map(({ pk, sk }) => ({ pk, sk }) as Key),
    isOver,
  );
}

/** Returns false if it is not in the state. */
async function endImport(table: Table, { workspaceId, importId }: RunningImport, state: State['state']) {
  const { UpdateExpression: _, ...removal } = updateOf(
    table,
    importKey(workspaceId),
    {},
    { equals: { importId, state } },
  );
  return ifHolds(table.db.send(new DeleteCommand(removal)));
}

interface State {
  importId: string;
  state: 'preparing' | 'writing';
  until: string;
}

async function readState(table: Table, workspaceId: string): Promise<State | undefined> {
  const Key = importKey(workspaceId);
  const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return found.Item as State | undefined;
}

/** Ends what a crashed request has left: writes an import that is decided, and gives up any other one. */
export const termImportCleanUps: readonly [CleanUp<EndedImport>] = [
  {
    kind: 'term-import',
    async remove(table, { workspaceId, importId }, isOver) {
      const running = { workspaceId, importId };
      const state = await readState(table, workspaceId);
      if (state?.importId === importId) {
        if (state.state === 'writing') return writeImport(table, running, isOver);
        const isOnTime = Date.parse(state.until) > table.now().getTime();
        if (isOnTime || !(await endImport(table, running, 'preparing'))) return false;
      }
      return removeParts(table, running, isOver);
    },
  },
];

/** The items as JSON in parts that are each a transaction. */
function partsOf(items: readonly TransactItem[]): string[] {
  const parts: string[][] = [[]];
  let bytes = 0;
  for (const item of items) {
    const text = JSON.stringify(item);
    const size = Buffer.byteLength(text) + 1;
    const last = parts.at(-1)!;
    if (last.length === MAX_PART_ITEMS || (last.length > 0 && bytes + size > MAX_PART_BYTES)) {
      parts.push([text]);
      bytes = size;
    } else {
      last.push(text);
      bytes += size;
    }
  }
  return parts.filter((part) => part.length > 0).map((part) => `[${part.join(',')}]`);
}

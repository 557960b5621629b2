import { workspaceKey } from '../../../platform/storage/keys.ts';
import { queryItems } from '../../../platform/storage/query-items.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import type { RunStatus, RunTrigger, StoredRun } from './run-record.ts';
import { isOver } from './step-record.ts';

/** Runs that have not ended are `active`: between creation and end, an entry does not change. */
type EntryState = 'active' | Extract<RunStatus, 'succeeded' | 'failed' | 'cancelled'>;

interface Entry {
  /** `<createdAt>#<id>` of the run. */
  position: string;
  state: EntryState;
  trigger: RunTrigger['kind'];
}

const AREA = 'RUNS';

const positionOf = ({ createdAt, id }: Pick<StoredRun, 'createdAt' | 'id'>) => `${createdAt}#${id}`;

const entryKey = (run: StoredRun) => workspaceKey(run.workspaceId, AREA, positionOf(run));

/**
 * The entry of a run in the list of its workspace. It belongs to each transaction that creates, ends or requeues the
 * run; their conditions on the run guard it too. Runs from before the list existed have none.
 */
export function runEntryItems(table: Table, run: StoredRun, status: RunStatus = run.status): TransactItem[] {
  if (!run.isListed) return [];
  const state: EntryState = isOver(status) ? (status as EntryState) : 'active';
  const Item = { ...entryKey(run), entity: 'run-entry', state, trigger: run.trigger.kind };
  return [{ Put: { TableName: table.name, Item } }];
}

export function removeRunEntryItems(table: Table, run: StoredRun): TransactItem[] {
  return run.isListed ? [{ Delete: { TableName: table.name, Key: entryKey(run) } }] : [];
}

/** Entries before a position, newest first. */
export async function readRunEntries(
  table: Table,
  workspaceId: string,
  { before, atMost }: { before: string | undefined; atMost: number },
): Promise<Entry[]> {
  const { pk } = workspaceKey(workspaceId, AREA, '');
  const items = queryItems(
    table,
    {
      KeyConditionExpression: before === undefined ? 'pk = :pk' : 'pk = :pk AND sk < :before',
      ExpressionAttributeValues: { ':pk': pk, ...(before === undefined ? {} : { ':before': before }) },
      ConsistentRead: true,
      ScanIndexForward: false,
    },
    atMost,
  );
  return Array.fromAsync(items, ({ sk, state, trigger }) => ({ position: sk, state, trigger }) as Entry);
}

/** When the oldest run of the list was created. */
export async function oldestRunEntry(table: Table, workspaceId: string): Promise<string | null> {
  const { pk } = workspaceKey(workspaceId, AREA, '');
  const items = queryItems(
    table,
    { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk }, ScanIndexForward: true },
    1,
  );
  for await (const { sk } of items) return (sk as string).slice(0, 24);
  return null;
}

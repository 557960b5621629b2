import { companyLogKey, monthOf, type AuditEntry as StoredEntry, workspaceLog } from '../../../platform/audit/entry.ts';
import { retentionDaysOf } from '../../../platform/audit/settings.ts';
import { DAY_MS } from '../../../platform/schedule/durations.ts';
import { queryItems } from '../../../platform/storage/query-items.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import { BY_COLLECTION, type Table } from '../../../platform/storage/table.ts';
import type { AuditEntry } from './schemas.ts';

const READ_AT_ONCE = 100;

/** The log of a company, or of one of its workspaces. */
export interface LogScope {
  companyId: string;
  workspaceId: string | null;
}

export interface LogFilter {
  /** Inclusive. */
  from?: string;
  /** Exclusive. */
  to?: string;
  actorId?: string;
  action?: string;
  objectType?: string;
  objectId?: string;
}

interface Located {
  position: string;
  entry: StoredEntry;
}

/**
 * Newest first, after the end of the previous part. Entries that a filter leaves out are read too, so a part ends after
 * `maxRead` entries with as many as it has found. `last` is the place where the part ends; undefined at the end of the
 * log.
 */
export async function readLog(
  table: Table,
  scope: LogScope,
  filter: LogFilter,
  part: { limit: number; maxRead: number; after?: string | undefined },
): Promise<{ items: AuditEntry[]; last: string | undefined }> {
  const items: AuditEntry[] = [];
  let read = 0;
  for await (const { position, entry } of entries(table, scope, await rangeOf(table, scope, filter, part.after))) {
    read += 1;
    if (matches(entry, filter)) items.push(showEntry(entry));
    if (items.length === part.limit || read === part.maxRead) return { items, last: position };
  }
  return { items, last: undefined };
}

interface Range {
  /** Inclusive, the beginning of a position. */
  from: string;
  /** Exclusive. */
  before: string;
}

/** Entries beyond the retention are gone, even while they are still stored. */
async function rangeOf(
  table: Table,
  { companyId }: LogScope,
  { from = '', to }: LogFilter,
  after: string | undefined,
): Promise<Range> {
  const now = table.now().getTime();
  const oldest = new Date(now - (await retentionDaysOf(table, companyId)) * DAY_MS).toISOString();
  const end = to ?? new Date(now + DAY_MS).toISOString();
  return { from: from > oldest ? from : oldest, before: after !== undefined && after < end ? after : end };
}

async function* entries(table: Table, scope: LogScope, { from, before }: Range): AsyncGenerator<Located> {
  if (from >= before) return;
  for (const month of monthsBack(monthOf(before), monthOf(from))) {
    const within = { ':from': from, ':before': before };
    yield* scope.workspaceId === null
      ? companyEntries(table, scope.companyId, month, within)
      : workspaceEntries(table, scope as { companyId: string; workspaceId: string }, month, within);
  }
}

type Within = { ':from': string; ':before': string };

async function* companyEntries(
  table: Table,
  companyId: string,
  month: string,
  within: Within,
): AsyncGenerator<Located> {
  const { pk } = companyLogKey(companyId, month, '');
  const found = queryItems(table, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :before',
    ExpressionAttributeValues: { ':pk': pk, ...within },
    ConsistentRead: true,
    ScanIndexForward: false,
  });
  for await (const item of found) {
    const position = item.sk as string;
    // `BETWEEN` includes its upper end.
    if (position !== within[':before']) yield { position, entry: toRecord<StoredEntry>(item) };
  }
}

async function* workspaceEntries(
  table: Table,
  { companyId, workspaceId }: { companyId: string; workspaceId: string },
  month: string,
  within: Within,
): AsyncGenerator<Located> {
  const found = queryItems(table, {
    IndexName: BY_COLLECTION,
    KeyConditionExpression: '#collection = :list AND #position BETWEEN :from AND :before',
    ExpressionAttributeNames: { '#collection': 'collection', '#position': 'position' },
    ExpressionAttributeValues: { ':list': workspaceLog(workspaceId, month), ...within },
    ScanIndexForward: false,
  });
  for await (const positions of inBatches(found, ({ position }) => position as string)) {
    const wanted = positions.filter((position) => position !== within[':before']);
    const keys = wanted.map((position) => companyLogKey(companyId, month, position));
    const items = new Map((await readItems(table, keys)).map((item) => [item.sk as string, item]));
    for (const position of wanted) {
      const item = items.get(position);
      if (item) yield { position, entry: toRecord<StoredEntry>(item) };
    }
  }
}

async function* inBatches<T, V>(source: AsyncIterable<T>, valueIn: (item: T) => V): AsyncGenerator<V[]> {
  let batch: V[] = [];
  for await (const item of source) {
    batch.push(valueIn(item));
    if (batch.length < READ_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** `2026-02`, `2026-01`, `2025-12`, … down to the last one. */
export function* monthsBack(newest: string, oldest: string): Generator<string> {
  const [year, month] = newest.split('-').map(Number) as [number, number];
  for (let index = year * 12 + month - 1; ; index -= 1) {
    const name = `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
    if (name < oldest) return;
    yield name;
  }
}

function matches({ actor, action, object }: StoredEntry, filter: LogFilter): boolean {
  return (
    isOr(filter.actorId, actor.id) &&
    isOr(filter.action, action) &&
    isOr(filter.objectType, object.type) &&
    isOr(filter.objectId, object.id)
  );
}

const isOr = (wanted: string | undefined, value: string | null) => wanted === undefined || wanted === value;

/** Without the company, which is always that of the caller. */
function showEntry({ companyId: _, ...entry }: StoredEntry): AuditEntry {
  return entry;
}

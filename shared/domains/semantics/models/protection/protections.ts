import { randomUUID } from 'node:crypto';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { type Key, workspaceKey } from '../../../../platform/storage/keys.ts';
import { LatestEntries } from '../../../../platform/storage/latest-entries.ts';
import { jsonBytes } from '../../../../platform/storage/page.ts';
import { itemsBelow } from '../../../../platform/storage/query-items.ts';
import type { Table, TransactItem } from '../../../../platform/storage/table.ts';
import type { ModelDefinition } from '../definition/definition.ts';
import type { ModelPlace } from '../definition/keys.ts';
import { protectedPlaces, type SourcePlace } from '../definition/protected-tables.ts';

/**
 * Says that a model restricts who reads which rows and columns of its source. Every read of a table looks for these.
 */
export interface Protection {
  modelId: string;
  /** A data source, or `datasets`. */
  sourceId: string;
  /** Null if there are too many to list: any table of the source may be restricted. */
  tables: SourcePlace[] | null;
}

const protectionKey = ({ workspaceId, modelId }: ModelPlace): Key => workspaceKey(workspaceId, 'PROTECTION', modelId);

/** The revision of all protections of a workspace. */
const revisionKey = (workspaceId: string): Key => workspaceKey(workspaceId, 'PROTECTIONS', 'REVISION');

/** An item has at most 400 KB. */
const MAX_BYTES = 200 * 1024;

const protectionOf = (definition: ModelDefinition): Protection | undefined => {
  const { id: modelId, sourceId } = definition.model;
  const tables = protectedPlaces(definition);
  if (tables.length === 0) return undefined;
  return { modelId, sourceId, tables: jsonBytes(tables) > MAX_BYTES ? null : tables };
};

/** For the transaction that stores a definition. */
export function protectionItems(table: Table, before: ModelDefinition, after: ModelDefinition): TransactItem[] {
  const [previous, next] = [protectionOf(before), protectionOf(after)];
  if (!previous && !next) return [];
  const { workspaceId, id: modelId } = before.model;
  const place = { workspaceId, modelId };
  return next ? [putItem(table, place, next), newRevision(table, workspaceId)] : removeProtection(table, place);
}

/** For the transaction that removes a model. */
export const removeProtection = (table: Table, place: ModelPlace): TransactItem[] => [
  { Delete: { TableName: table.name, Key: protectionKey(place) } },
  newRevision(table, place.workspaceId),
];

const newRevision = (table: Table, workspaceId: string): TransactItem => ({
  Put: { TableName: table.name, Item: revisionItem(workspaceId) },
});

const revisionItem = (workspaceId: string) => ({
  ...revisionKey(workspaceId),
  revision: randomUUID(),
  entity: 'protectionRevision',
});

interface Known {
  /** Undefined if the workspace has none, and this process has tried to write one. */
  revision: string | undefined;
  protections: readonly Protection[];
  readAt: number;
}

const MAX_WORKSPACES = 1_000;
/**
 * While a deployment is replaced, functions of its former version may change protections without a new revision. So
 * what is known is read again after a while, whatever its revision.
 */
const MAX_AGE_MS = 60_000;
const known = new WeakMap<Table, LatestEntries<Known>>();

/**
 * What models of the workspace protect, as of now: one consistent read of its revision, and if that is not the one
 * known, a query. The revision is read first, so that what the query finds is as new or newer, and never served under
 * the revision of a later change.
 */
export async function listProtections(table: Table, workspaceId: string): Promise<readonly Protection[]> {
  const entries = known.get(table) ?? new LatestEntries<Known>(MAX_WORKSPACES);
  known.set(table, entries);
  const { Item } = await table.db.send(
    new GetCommand({ TableName: table.name, Key: revisionKey(workspaceId), ConsistentRead: true }),
  );
  const revision = Item?.revision as string | undefined;
  const before = entries.get(workspaceId);
  const now = table.now().getTime();
  if (before && revision !== undefined && before.revision === revision && now - before.readAt < MAX_AGE_MS)
    return before.protections;
  const { pk } = protectionKey({ workspaceId, modelId: '' });
  const protections = await Array.fromAsync(itemsBelow(table, { pk, sk: '' }), (item) => item as unknown as Protection);
  if (revision === undefined && !before) await begin(table, workspaceId);
  entries.set(workspaceId, { revision, protections, readAt: now });
  return protections;
}

/** Writes the first revision of a workspace, unless there is one. Without one, each call is a query. */
async function begin(table: Table, workspaceId: string): Promise<void> {
  const put = new PutCommand({
    TableName: table.name,
    Item: revisionItem(workspaceId),
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  try {
    await table.db.send(put);
  } catch {
    // Another call was first, or the function may only read.
  }
}

const putItem = (table: Table, place: ModelPlace, protection: Protection): TransactItem => ({
  Put: { TableName: table.name, Item: { ...protection, ...protectionKey(place), entity: 'protection' } },
});

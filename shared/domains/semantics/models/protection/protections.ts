import { type Key, workspaceKey } from '../../../../platform/storage/keys.ts';
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
  return [next ? putItem(table, place, next) : removeProtection(table, place)];
}

/** For the transaction that removes a model. */
export const removeProtection = (table: Table, place: ModelPlace): TransactItem => ({
  Delete: { TableName: table.name, Key: protectionKey(place) },
});

/** What models of the workspace protect: one read of a few items. */
export function listProtections(table: Table, workspaceId: string): Promise<Protection[]> {
  const { pk } = protectionKey({ workspaceId, modelId: '' });
  return Array.fromAsync(itemsBelow(table, { pk, sk: '' }), (item) => item as unknown as Protection);
}

const putItem = (table: Table, place: ModelPlace, protection: Protection): TransactItem => ({
  Put: { TableName: table.name, Item: { ...protection, ...protectionKey(place), entity: 'protection' } },
});

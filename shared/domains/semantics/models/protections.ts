import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import { onNewest } from '../../../platform/storage/on-newest.ts';
import { jsonBytes } from '../../../platform/storage/page.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import type { ModelDefinition } from './definition.ts';
import type { ModelPlace } from './keys.ts';
import { protectedPlaces, type SourcePlace } from './protected-tables.ts';
import { modelRepository } from './repository.ts';

/** Undefined for a model that was deleted. */
export type ReadModel = (place: ModelPlace) => Promise<ModelDefinition | undefined>;

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

/** Exists once the models have been listed that were stored before protections were. */
const completeKey = (workspaceId: string): Key => workspaceKey(workspaceId, 'PROTECTION', '#COMPLETE');

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

/** What models of the workspace protect. Almost always one read of a few items. */
export async function listProtections(table: Table, workspaceId: string, read: ReadModel): Promise<Protection[]> {
  const found = await readAll(table, workspaceId);
  if (found.isComplete) return found.protections;
  await addEarlier(table, workspaceId, read);
  return (await readAll(table, workspaceId)).protections;
}

async function readAll(table: Table, workspaceId: string) {
  const complete = completeKey(workspaceId);
  const items = await Array.fromAsync(itemsBelow(table, { pk: complete.pk, sk: '' }));
  return {
    isComplete: items.some(({ sk }) => sk === complete.sk),
    protections: items.filter(({ sk }) => sk !== complete.sk) as unknown as Protection[],
  };
}

/** Models that were stored before protections existed get theirs. */
async function addEarlier(table: Table, workspaceId: string, read: ReadModel): Promise<void> {
  const models = modelRepository(table);
  for (let offset = 0, total = 1; offset < total; ) {
    const page = await models.list(workspaceId, { limit: 100, offset });
    for (const { id: modelId } of page.items) await addOne(table, { workspaceId, modelId }, read);
    total = page.total;
    offset += Math.max(page.items.length, 1);
  }
  await table.db.send(
    new PutCommand({ TableName: table.name, Item: { ...completeKey(workspaceId), entity: 'protections-complete' } }),
  );
}

/** On the newest definition: an edit in between may have lifted or added protection. */
const addOne = (table: Table, place: ModelPlace, read: ReadModel): Promise<void> =>
  onNewest('STALE_WRITE', async () => {
    const definition = await read(place);
    const protection = definition && protectionOf(definition);
    if (!protection) return;
    const unchanged: TransactItem = {
      ConditionCheck: {
        TableName: table.name,
        Key: modelRepository(table).key(place.workspaceId, place.modelId),
        ConditionExpression: 'updatedAt = :seen',
        ExpressionAttributeValues: { ':seen': definition.model.updatedAt },
      },
    };
    try {
      await transact(table, [putItem(table, place, protection), unchanged]);
    } catch (cause) {
      throw failedConditions(cause).has(1) ? new AppError('STALE_WRITE', { cause }) : cause;
    }
  });

const putItem = (table: Table, place: ModelPlace, protection: Protection): TransactItem => ({
  Put: { TableName: table.name, Item: { ...protection, ...protectionKey(place), entity: 'protection' } },
});

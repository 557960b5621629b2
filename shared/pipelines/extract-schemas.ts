import { createHash } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { DatasetColumn } from '../datasets/record.ts';
import type { Table, TransactItem } from '../storage/table.ts';
import type { ExtractConfig } from './configs/extract.ts';
import { extractSchemaKey } from './run-keys.ts';
import type { ExtractPlace } from './watermarks.ts';

/** What an extract passed on when it last succeeded; undefined when it never did, or reads something else now. */
export async function readExtractSchema(
  table: Table,
  { workspaceId, pipelineId, stepId, itemIndex }: ExtractPlace,
  of: string,
): Promise<readonly DatasetColumn[] | undefined> {
  const key = extractSchemaKey(workspaceId, pipelineId, stepId, itemIndex);
  const { Item: item } = await table.db.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }));
  return item?.of === of ? (item.columns as DatasetColumn[]) : undefined;
}

/** Part of the transaction that ends the extract's attempt, so that an attempt that is repeated compares with the same. */
export function extractSchemaItem(
  table: Table,
  { workspaceId, pipelineId, stepId, itemIndex }: ExtractPlace,
  of: string,
  columns: readonly DatasetColumn[],
): TransactItem {
  const key = extractSchemaKey(workspaceId, pipelineId, stepId, itemIndex);
  return { Put: { TableName: table.name, Item: { ...key, entity: 'extract-schema', of, columns } } };
}

/** Names what an extract reads: the columns of another object say nothing. */
export function extractSubject({ sourceId, object, columns }: ExtractConfig, item: string | number | null): string {
  return createHash('sha256')
    .update(JSON.stringify([sourceId, object, columns ?? null, item]))
    .digest('hex')
    .slice(0, 32);
}

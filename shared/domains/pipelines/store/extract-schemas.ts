import { createHash } from 'node:crypto';
import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { DatasetColumn } from '../../../data/tables/data-file.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import type { DatasetConfig, ExtractConfig, Step } from '../definition/index.ts';
import { extractSchemaKey } from './run-keys.ts';
import type { ExtractPlace } from './watermarks.ts';

/**
 * The output columns of the last success of an extract; undefined if there is none, or if it reads another object now.
 */
export async function readExtractSchema(
  table: Table,
  { workspaceId, pipelineId, stepId, itemIndex }: ExtractPlace,
  of: string,
): Promise<readonly DatasetColumn[] | undefined> {
  const key = extractSchemaKey(workspaceId, pipelineId, stepId, itemIndex);
  const { Item: item } = await table.db.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }));
  return item?.of === of ? (item.columns as DatasetColumn[]) : undefined;
}

/** Part of the transaction that ends the attempt, so that a repeated attempt compares with the same columns. */
export function extractSchemaItem(
  table: Table,
  { workspaceId, pipelineId, stepId, itemIndex }: ExtractPlace,
  { of, object }: ExtractSubject,
  columns: readonly DatasetColumn[],
): TransactItem {
  const key = extractSchemaKey(workspaceId, pipelineId, stepId, itemIndex);
  return { Put: { TableName: table.name, Item: { ...key, entity: 'extract-schema', of, object, columns } } };
}

/** The known output columns of an extract, one list for each item of a block; empty if it never succeeded. */
export async function readKnownColumns(
  table: Table,
  { workspaceId, pipelineId }: Pick<ExtractPlace, 'workspaceId' | 'pipelineId'>,
  step: Step,
): Promise<DatasetColumn[][]> {
  const { pk, sk } = extractSchemaKey(workspaceId, pipelineId, step.id, null);
  const found = await table.db.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': pk, ':prefix': sk.slice(0, sk.lastIndexOf('#') + 1) },
      ConsistentRead: true,
    }),
  );
  const object = extractObject(step.config as unknown as ExtractConfig);
  return (found.Items ?? []).filter((item) => item.object === object).map((item) => item.columns as DatasetColumn[]);
}

/** Identifies what an extract reads: the columns of another object cannot be compared. */
export interface ExtractSubject {
  of: string;
  /** The same for all items of a block. */
  object: string;
}

export function extractSubject(config: AnyConfig, item: string | number | null): ExtractSubject {
  const object = extractObject(config);
  return { of: digest([object, item]), object };
}

type AnyConfig = ExtractConfig | DatasetConfig;

const extractObject = (config: AnyConfig) =>
  digest(['sourceId' in config ? config.sourceId : null, config.object, config.columns ?? null]);

const digest = (subject: unknown) => createHash('sha256').update(JSON.stringify(subject)).digest('hex').slice(0, 32);

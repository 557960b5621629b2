import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { type BatchFile, filesOfBatch } from './file-batch-store.ts';

/** What the trigger of a run has brought, for `{{ trigger.body }}` and its like. */
export interface TriggerInput {
  /** The body of a webhook call, as received. */
  body?: string;
  /** The files that have arrived. */
  files?: BatchFile[];
}

/** As stored: files by the batch that they have arrived in, for they may be thousands. */
export interface StoredTriggerInput {
  body?: string;
  fileBatch?: { pipelineId: string; id: string };
}

const inputKey = (workspaceId: string, runId: string): Key => workspaceKey(workspaceId, `RUN#${runId}`, 'TRIGGER');

/** Apart from the run, whose item is written at each step. */
export function triggerInputItem(
  table: Table,
  run: { workspaceId: string; id: string },
  input: StoredTriggerInput,
): TransactItem {
  return {
    Put: { TableName: table.name, Item: { ...inputKey(run.workspaceId, run.id), entity: 'trigger-input', ...input } },
  };
}

export async function readTriggerInput(table: Table, workspaceId: string, runId: string): Promise<TriggerInput> {
  const found = await table.db.send(
    new GetCommand({ TableName: table.name, Key: inputKey(workspaceId, runId), ConsistentRead: true }),
  );
  const { body, fileBatch } = (found.Item ?? {}) as StoredTriggerInput;
  const files = fileBatch && (await filesOfBatch(table, { workspaceId, ...fileBatch }, fileBatch.id));
  return { ...(body === undefined ? {} : { body }), ...(files === undefined ? {} : { files }) };
}

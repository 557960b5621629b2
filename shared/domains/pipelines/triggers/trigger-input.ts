import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { type BatchFile, filesOfBatch } from './file-batch-store.ts';

/** The input of a run's trigger, for `{{ trigger.body }}` and `{{ trigger.files }}`. */
export interface TriggerInput {
  /** The body of a webhook call, as received. */
  body?: string;
  /** The arrived files. */
  files?: BatchFile[];
}

/** The stored input: files by their batch, because there may be thousands. */
export interface StoredTriggerInput {
  body?: string;
  fileBatch?: { pipelineId: string; id: string };
}

/** `acquire` is written when the run is stored, `release` when it is removed because it could not start. */
export interface InputClaim {
  /** When the input arrived. */
  at: string;
  acquire: TransactItem;
  release: TransactItem;
}

const inputKey = (workspaceId: string, runId: string): Key => workspaceKey(workspaceId, `RUN#${runId}`, 'TRIGGER');

/** A separate item, because the item of the run is rewritten at each step. */
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

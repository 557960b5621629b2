import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import type { Dag, Trigger } from './dag.ts';

export type FileTrigger = Extract<Trigger, { kind: 'file_arrival' }>;

/** Every file that arrives is matched against each pipeline that waits for files of its source. */
export const MAX_WATCHERS = 50;

type Triggered = Pick<Dag, 'trigger'> | undefined;

export function fileTriggerOf(dag: Triggered): FileTrigger | undefined {
  return dag?.trigger?.kind === 'file_arrival' ? (dag.trigger as FileTrigger) : undefined;
}

/** Finds the pipelines that wait for files of a source. */
const watchKey = (workspaceId: string, sourceId: string, pipelineId: string): Key =>
  workspaceKey(workspaceId, `FILE-WATCH#${sourceId}`, pipelineId);

/** The open and complete batches of a pipeline, and the files in them; see `file-batches.ts`. */
export const fileBatchKey = (place: { workspaceId: string; pipelineId: string }, sk: string): Key =>
  workspaceKey(place.workspaceId, `FILE-BATCH#${place.pipelineId}`, sk);

export const FILE_BATCH_HEAD = 'HEAD';

export interface FileWatch {
  pipelineId: string;
  path: string;
  quietSeconds: number;
  minFiles: number;
}

/**
 * The writes for the file trigger of a pipeline that is saved or, without `next`, deleted. Files that arrived for the
 * old trigger are dropped.
 */
export function fileWatchItems(
  table: Table,
  pipeline: { workspaceId: string; id: string },
  previous: Triggered,
  next: Triggered,
): TransactItem[] {
  const [before, after] = [fileTriggerOf(previous), fileTriggerOf(next)];
  const place = { workspaceId: pipeline.workspaceId, pipelineId: pipeline.id };
  const items: TransactItem[] = [];
  if (before && before.sourceId !== after?.sourceId) {
    items.push({
      Delete: { TableName: table.name, Key: watchKey(place.workspaceId, before.sourceId, pipeline.id) },
    });
  }
  if (before && (before.sourceId !== after?.sourceId || before.path !== after.path)) {
    items.push({ Delete: { TableName: table.name, Key: fileBatchKey(place, FILE_BATCH_HEAD) } });
  }
  if (after) {
    const { path, quietSeconds = 60, minFiles = 1 } = after;
    items.push({
      Put: {
        TableName: table.name,
        Item: {
          ...watchKey(place.workspaceId, after.sourceId, pipeline.id),
          entity: 'file-watch',
          path,
          quietSeconds,
          minFiles,
        },
      },
    });
  }
  return items;
}

/** Fails the transaction if the pipeline now waits for other files. */
export function watchCondition(table: Table, workspaceId: string, sourceId: string, watch: FileWatch): TransactItem {
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: watchKey(workspaceId, sourceId, watch.pipelineId),
      ConditionExpression: '#path = :path',
      ExpressionAttributeNames: { '#path': 'path' },
      ExpressionAttributeValues: { ':path': watch.path },
    },
  };
}

/** The pipelines that wait for files of a source. */
export async function watchesOf(table: Table, workspaceId: string, sourceId: string): Promise<FileWatch[]> {
  const { pk } = watchKey(workspaceId, sourceId, '');
  const page = await table.db.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
    }),
  );
  return (page.Items ?? []).map(({ sk, path, quietSeconds, minFiles }) => ({
    pipelineId: sk as string,
    path: path as string,
    quietSeconds: quietSeconds as number,
    minFiles: minFiles as number,
  }));
}

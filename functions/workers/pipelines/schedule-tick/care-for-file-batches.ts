import type { RunContext } from '../../../../shared/domains/pipelines/store/run-store.ts';
import { FILE_BATCH_PARTITION } from '../../../../shared/domains/pipelines/triggers/file-batch-store.ts';
import { dueItems, type Failure, workOnDue } from '../../../../shared/platform/storage/due-items.ts';

/** Tells of files that have waited long enough: of long waits first, of all others once more. */
export function careForFileBatches(context: RunContext, report: (failure: Failure) => void): Promise<Failure[]> {
  return workOnDue(
    dueItems(context.table, FILE_BATCH_PARTITION, context.now()),
    ({ pk }) => {
      const [, workspaceId, , pipelineId] = pk.split('#');
      const message = { kind: 'file-batch', workspaceId: workspaceId!, pipelineId: pipelineId! } as const;
      return context.queue.send([{ message, delaySeconds: 0 }]);
    },
    report,
  );
}

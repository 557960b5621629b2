import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AlertQueue } from '../../../../shared/domains/alerts/evaluations/index.ts';
import { startRunAfterSync } from '../../../../shared/domains/quality/index.ts';
import {
  datasetRepository,
  NEW_VERSIONS_PARTITION,
  newVersionOf,
} from '../../../../shared/domains/warehouse/datasets/index.ts';
import type { JobContext } from '../../../../shared/platform/jobs/jobs.ts';
import { type DueItem, dueItems, type Failure, workOnDue } from '../../../../shared/platform/storage/due-items.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';

/**
 * Starts the tests that run after each new version of a dataset, and the evaluation of alerts that read it. A version
 * stays due until its job exists, so that a tick that crashes, or a job that is still running, delays the tests and
 * loses none. Alerts may be evaluated for it again meanwhile, which changes nothing.
 */
export function runAfterSync(
  table: Table,
  jobs: JobContext & { alerts: AlertQueue },
  until: Date,
  report: (failure: Failure) => void,
): Promise<Failure[]> {
  const datasets = datasetRepository(table);
  const work = async (item: DueItem) => {
    const { workspaceId, datasetId, version } = newVersionOf(item);
    const dataset = await datasets.get(workspaceId, datasetId);
    if (dataset?.version === version) {
      const message = { op: 'version', workspaceId, datasetId, at: item.dueAt } as const;
      await jobs.alerts.send([{ message, delaySeconds: 0 }]);
    }
    // The newest version is due as well.
    const isStarted = dataset?.version === version ? await startRunAfterSync(table, jobs, dataset) : true;
    if (isStarted) await takeOut(table, item);
  };
  return workOnDue(dueItems(table, NEW_VERSIONS_PARTITION, jobs.now()), work, report, () => jobs.now() >= until);
}

async function takeOut(table: Table, { pk, sk, dueAt }: DueItem): Promise<void> {
  try {
    await table.db.send(
      new UpdateCommand(updateOf(table, { pk, sk }, { remove: ['due', 'dueAt'] }, { equals: { dueAt } })),
    );
  } catch (error) {
    // Another tick was faster, or the version is gone.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

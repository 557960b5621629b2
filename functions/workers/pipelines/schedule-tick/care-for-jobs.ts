import { careForJob, type JobContext } from '../../../../shared/platform/jobs/jobs.ts';
import { JOB_CARE_SHARDS } from '../../../../shared/platform/jobs/repository.ts';
import { dueItems, type Failure, workOnDue } from '../../../../shared/platform/storage/due-items.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';

/** Looks after jobs that wait for long, whose workers are silent, or that nobody asks for any more. */
export async function careForJobs(
  table: Table,
  context: JobContext,
  report: (failure: Failure) => void,
): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (let shard = 0; shard < JOB_CARE_SHARDS; shard++) {
    const due = dueItems(table, `job-care#${shard}`, context.now());
    failures.push(...(await workOnDue(due, ({ pk, sk: id }) => careForJob(context, pk.split('#')[1]!, id), report)));
  }
  return failures;
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recoverJobs } from '../../../../functions/platform/workers/minute-tick/overdue-work.ts';
import type { JobWork } from '../../../../functions/platform/workers/run-job/job-kind.ts';
import { startDueJob } from '../../../../functions/platform/workers/run-job/start-due-job.ts';
import { type JobWorker, workOnJob } from '../../../../functions/platform/workers/run-job/work-on-job.ts';
import { LocalCloud } from '../../../../packages/local-cloud/index.ts';
import { type JobContext, startJob } from '../../../../shared/platform/jobs/jobs.ts';
import type { JobMessage } from '../../../../shared/platform/jobs/queue.ts';
import { JOB_KINDS, type StoredJob } from '../../../../shared/platform/jobs/record.ts';
import { jobRepository } from '../../../../shared/platform/jobs/repository.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { type Crash, Crashed } from '../../../support/crash.ts';
import { createLocalTable, openCrashingTable } from '../../../support/local-table.ts';

/** The same work for every kind of job. */
export const everyKind = (work: JobWork): JobWorker['kinds'] =>
  Object.fromEntries(JOB_KINDS.map((kind) => [kind, work])) as JobWorker['kinds'];

/**
 * Jobs on the real table, with the queue's part played by the test: messages wait in `messages` until `drain` hands
 * them out, so that a test decides what is lost, repeated or killed.
 */
export class JobSetup {
  readonly workspaceId = newId();
  readonly messages: JobMessage[] = [];
  readonly reported: Error[] = [];
  readonly table: Table;
  readonly context: JobContext;
  readonly #cloud: LocalCloud;
  readonly #folder: string;
  /** How far the setup's clock is ahead. */
  aheadMs = 0;
  exits = 0;
  crash: Crash = () => undefined;

  private constructor(cloud: LocalCloud, folder: string) {
    this.#cloud = cloud;
    this.#folder = folder;
    this.table = openCrashingTable(cloud, (write) => this.crash(write));
    this.context = {
      jobs: jobRepository(this.table),
      queue: { send: async (sent) => void this.messages.push(...sent.map(({ message }) => message)) },
      now: () => new Date(Date.now() + this.aheadMs),
    };
  }

  static async open(): Promise<JobSetup> {
    const folder = mkdtempSync(join(tmpdir(), 'jobs-'));
    const cloud = await LocalCloud.open({ dataDir: folder, port: 0 });
    await createLocalTable(cloud);
    return new JobSetup(cloud, folder);
  }

  async close(): Promise<void> {
    await this.#cloud.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** A worker that completes every job. */
  worker(work: JobWork): JobWorker {
    return {
      ...this.context,
      kinds: everyKind(work),
      report: (error) => this.reported.push(error),
      exit: () => {
        this.exits += 1;
      },
    };
  }

  start(subjectId: string = newId()): Promise<StoredJob> {
    return startJob(
      this.context,
      {
        id: newId(),
        workspaceId: this.workspaceId,
        kind: 'dataset_refresh',
        subjectId,
        trigger: { kind: 'manual', scheduledAt: null, actor: null },
        input: {},
      },
      'JOB_ACTIVE',
    );
  }

  /** Hands out what waits in the queue, including what comes in meanwhile. A worker that crashes loses its message. */
  async drain(work: JobWork): Promise<void> {
    const worker = this.worker(work);
    for (let message = this.messages.shift(); message; message = this.messages.shift()) {
      try {
        if (message.op === 'work') await workOnJob(worker, message.workspaceId, message.jobId);
        else if (message.op === 'due') await startDueJob(worker, message, () => undefined);
      } catch (error) {
        if (!(error instanceof Crashed)) throw error;
      }
    }
  }

  /** As the minute tick does. */
  async check(): Promise<void> {
    await recoverJobs(this.table, this.context, ({ error }) => {
      if (!(error instanceof Crashed)) throw error;
    });
  }

  async stored(job: { id: string }): Promise<StoredJob> {
    return (await this.context.jobs.get(this.workspaceId, job.id))!;
  }
}

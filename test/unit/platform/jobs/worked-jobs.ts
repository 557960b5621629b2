import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { recoverJobs } from '../../../../functions/platform/workers/minute-tick/overdue-work.ts';
import {
  REFRESH_LIMITS,
  type RefreshLimits,
  type RefreshWorker,
} from '../../../../functions/platform/workers/run-job/dataset-refresh/refresh-worker.ts';
import type { JobWork } from '../../../../functions/platform/workers/run-job/job-kind.ts';
import { startDueJob } from '../../../../functions/platform/workers/run-job/start-due-job.ts';
import { type JobWorker, workOnJob } from '../../../../functions/platform/workers/run-job/work-on-job.ts';
import { rightsDeps } from '../../../../shared/domains/semantics/row-rights/index.ts';
import type { JobMessage } from '../../../../shared/platform/jobs/queue.ts';
import { isActive, type StoredJob } from '../../../../shared/platform/jobs/record.ts';
import { jobRepository } from '../../../../shared/platform/jobs/repository.ts';
import { createAddressGuard } from '../../../../shared/platform/net/address-guard.ts';
import { asProcess, Crashed } from '../../../support/crash.ts';
import type { RunSetup } from '../../pipelines/run-setup.ts';
import { everyKind } from './job-setup.ts';

/** Jobs that read and store rows, with the queue's part and the minute tick's played by the test. */
export class WorkedJobs {
  readonly messages: JobMessage[] = [];
  readonly reported: Error[] = [];

  readonly setup: RunSetup;
  readonly workOf: (worker: RefreshWorker) => JobWork;

  constructor(setup: RunSetup, workOf: (worker: RefreshWorker) => JobWork) {
    this.setup = setup;
    this.workOf = workOf;
  }

  workerOf(limits: RefreshLimits = REFRESH_LIMITS): JobWorker {
    const { table, now } = this.setup.context;
    const { objects, cache, secrets, scratchDir } = this.setup.worker;
    const tempDir = join(scratchDir, 'jobs');
    mkdirSync(tempDir, { recursive: true });
    const engineResources = { memoryMb: 2048, scratchMb: 10_240, tempDir };
    const guard = createAddressGuard({ allowedPrivateCidrs: ['127.0.0.0/8'] });
    const copies = rightsDeps(table, now);
    const deps = { table, objects, cache, secrets, guard, copies, ownBucket: 'data', engineResources, now, limits };
    return {
      jobs: jobRepository(table),
      queue: { send: async (sent) => void this.messages.push(...sent.map(({ message }) => message)) },
      now,
      kinds: everyKind(this.workOf(deps)),
      report: (error) => this.reported.push(error),
      exit: () => {
        throw new Error('the process would end');
      },
    };
  }

  async drain(worker = this.workerOf()): Promise<void> {
    for (let message = this.messages.shift(); message; message = this.messages.shift()) {
      const taken = message;
      try {
        await asProcess(async () => {
          if (taken.op === 'work') await workOnJob(worker, taken.workspaceId, taken.jobId);
          else if (taken.op === 'due') await startDueJob(worker, taken, () => undefined);
        });
      } catch (error) {
        if (!(error instanceof Crashed)) throw error;
      }
    }
  }

  /** As the minute tick does, until the job is over. */
  async seeThrough(job: StoredJob): Promise<StoredJob> {
    const { jobs } = this.workerOf();
    for (let minute = 0; minute < 8; minute++) {
      await this.drain();
      const now = await jobs.get(this.setup.workspaceId, job.id);
      if (now && !isActive(now)) return now;
      this.setup.aheadMs += 61_000;
      await recoverJobs(this.setup.context.table, this.workerOf(), ({ error }) => {
        if (!(error instanceof Crashed)) throw error;
      });
    }
    throw new Error('the job does not end');
  }
}

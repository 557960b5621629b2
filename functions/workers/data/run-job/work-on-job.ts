import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import { announce, type JobContext } from '../../../../shared/platform/jobs/jobs.ts';
import type { JobKind, JobProgress, StoredJob } from '../../../../shared/platform/jobs/record.ts';
import type { Ending } from '../../../../shared/platform/jobs/repository.ts';
import { type JobControl, JobFailure, JobStopped, type JobWork } from './job-kind.ts';

const MAX_ATTEMPTS = 3;
/** Grows with the attempts: an issue of our own or of a source may pass. */
const RETRY_AFTER_SECONDS = 5;
const LOOK_EVERY_MS = 2_000;
/** A process that must end has so long to store why. */
const LAST_WORDS_MS = 2_000;

export interface JobWorker extends JobContext {
  kinds: Readonly<Record<JobKind, JobWork>>;
  /** Our own issues, for the log. */
  report(error: Error, job: StoredJob): void;
  /** Ends the process. */
  exit(): void;
}

/** Works on a job if nobody else does. Answers after it is over, given back, or found to be somebody else's. */
export async function workOnJob(worker: JobWorker, workspaceId: string, jobId: string): Promise<void> {
  const found = await worker.jobs.get(workspaceId, jobId);
  const job = found && (await worker.jobs.claim(found, worker.now()));
  if (!job) return;
  const work = worker.kinds[job.kind];
  const end = async (ending: Ending) => {
    await worker.jobs.end(job, ending, worker.now(), work.afterwards?.(job, ending) ?? []);
  };
  if (job.attempt > MAX_ATTEMPTS) {
    return end({ status: 'failed', error: { code: 'WORKER_LOST', message: 'Each worker that took it up died.' } });
  }
  if (job.cancelRequestedAt) return end({ status: 'cancelled' });

  const watched = watch(worker, job, end);
  let result: Record<string, unknown>;
  try {
    result = await work.run(job, watched.control);
  } catch (thrown) {
    await watched.stop();
    const reason = watched.control.signal.aborted ? watched.control.signal.reason : thrown;
    if (reason instanceof JobStopped) {
      if (reason.reason === 'cancelled') await end({ status: 'cancelled' });
      return;
    }
    const error = ownFailure(reason);
    if (error) return end({ status: 'failed', error });
    worker.report(reason as Error, job);
    return tryAgain(worker, job, end);
  }
  await watched.stop();
  await end({ status: 'succeeded', result });
}

async function tryAgain(worker: JobWorker, job: StoredJob, end: (ending: Ending) => Promise<void>): Promise<void> {
  if (job.attempt >= MAX_ATTEMPTS) {
    return end({ status: 'failed', error: { code: 'INTERNAL', message: 'Something went wrong on our side.' } });
  }
  if (await worker.jobs.release(job, worker.now())) await announce(worker, job, RETRY_AFTER_SECONDS * job.attempt);
}

/** What the job's owner can do something about; undefined for our own issues. */
function ownFailure(thrown: unknown): { code: string; message: string } | undefined {
  if (thrown instanceof JobFailure || thrown instanceof DataError || thrown instanceof AppError) {
    return { code: thrown.code, message: thrown.message };
  }
  return undefined;
}

/** Prolongs the lease and passes the progress on while the job is worked on, and looks for a cancel. */
function watch(
  worker: JobWorker,
  job: StoredJob,
  end: (ending: Ending) => Promise<void>,
): { control: JobControl; stop: () => Promise<void> } {
  const controller = new AbortController();
  let progress: JobProgress | null = null;
  let looking: Promise<void> = Promise.resolve();
  const look = async () => {
    const current = await worker.jobs.prolong(job, worker.now(), progress);
    if (!current) controller.abort(new JobStopped('given up'));
    else if (current.cancelRequestedAt) controller.abort(new JobStopped('cancelled'));
  };
  const timer = setInterval(() => {
    // One look at a time; what fails here fails again, or better, at the end of the job.
    looking = looking.then(look).catch(() => undefined);
  }, LOOK_EVERY_MS);
  return {
    control: {
      signal: controller.signal,
      progress: (next) => {
        progress = next;
      },
      held: () => worker.jobs.held(job),
      die: (error) => {
        const gone = () => worker.exit();
        setTimeout(gone, LAST_WORDS_MS);
        end({ status: 'failed', error }).then(gone, gone);
      },
    },
    stop: async () => {
      clearInterval(timer);
      await looking;
    },
  };
}

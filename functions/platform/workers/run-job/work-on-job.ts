import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import { announce, type JobContext } from '../../../../shared/platform/jobs/jobs.ts';
import type { JobKind, JobProgress, StoredJob } from '../../../../shared/platform/jobs/record.ts';
import type { Ending } from '../../../../shared/platform/jobs/repository.ts';
import { JobContinues, type JobControl, JobFailure, JobStopped, type JobWork } from './job-kind.ts';

const MAX_ATTEMPTS = 3;
/** Multiplied by the attempt, because an error of ours or of a source may pass. */
const RETRY_AFTER_SECONDS = 5;
const CHECK_EVERY_MS = 2_000;
/** How long a process that must end may take to store its error. */
const CRASH_REPORT_MS = 2_000;
/** The same for results, after which another invocation continues. */
const CRASH_STORE_MS = 10_000;

export interface JobWorker extends JobContext {
  kinds: Readonly<Record<JobKind, JobWork>>;
  /** Reports an internal error to the operator. */
  report(error: Error, job: StoredJob): void;
  /** Ends the process. */
  exit(): void;
}

/**
 * Claims the job and works on it, unless another worker holds it. Resolves when the job has ended, was released for a
 * retry, or was taken over by another worker.
 */
export async function workOnJob(worker: JobWorker, workspaceId: string, jobId: string): Promise<void> {
  const found = await worker.jobs.get(workspaceId, jobId);
  const job = found && (await worker.jobs.claim(found, worker.now()));
  if (!job) return;
  const work = worker.kinds[job.kind];
  const end = async (ending: Ending) => {
    await worker.jobs.end(job, ending, worker.now(), (await work.afterwards?.(job, ending)) ?? []);
  };
  if (failedAttempts(job) > MAX_ATTEMPTS) {
    return end({ status: 'failed', error: { code: 'WORKER_LOST', message: 'Every worker that ran the job crashed.' } });
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
    if (reason instanceof JobContinues) {
      return handOn(worker, job);
    }
    const error = userError(reason);
    if (error) return end({ status: 'failed', error });
    worker.report(reason as Error, job);
    return retry(worker, job, end);
  }
  await watched.stop();
  await end({ status: 'succeeded', result });
}

async function handOn(worker: JobWorker, job: StoredJob): Promise<void> {
  if (await worker.jobs.handOn(job, worker.now())) await announce(worker, job);
}

/** Counts the current attempt, too. */
const failedAttempts = ({ attempt, continuedAttempt = 0 }: StoredJob): number => attempt - continuedAttempt;

async function retry(worker: JobWorker, job: StoredJob, end: (ending: Ending) => Promise<void>): Promise<void> {
  if (failedAttempts(job) >= MAX_ATTEMPTS) {
    return end({ status: 'failed', error: { code: 'INTERNAL', message: 'Something went wrong on our side.' } });
  }
  if (await worker.jobs.release(job, worker.now()))
    await announce(worker, job, RETRY_AFTER_SECONDS * failedAttempts(job));
}

/** The error that the job's owner sees; undefined for internal errors. */
function userError(thrown: unknown): { code: string; message: string } | undefined {
  if (thrown instanceof JobFailure || thrown instanceof DataError || thrown instanceof AppError) {
    return { code: thrown.code, message: thrown.message };
  }
  return undefined;
}

/** While the work runs, extends the lease, stores the progress and checks for a cancel. */
function watch(
  worker: JobWorker,
  job: StoredJob,
  end: (ending: Ending) => Promise<void>,
): { control: JobControl; stop: () => Promise<void> } {
  const controller = new AbortController();
  let progress: JobProgress | null = null;
  let checking: Promise<void> = Promise.resolve();
  const check = async () => {
    const current = await worker.jobs.extendLease(job, worker.now(), progress);
    if (!current) controller.abort(new JobStopped('given up'));
    else if (current.cancelRequestedAt) controller.abort(new JobStopped('cancelled'));
  };
  const timer = setInterval(() => {
    // One check at a time. An error here is ignored: if it persists, the end of the job reports it.
    checking = checking.then(check).catch(() => undefined);
  }, CHECK_EVERY_MS);
  const exitAfter = (last: Promise<unknown>, atMostMs: number) => {
    const exit = () => worker.exit();
    setTimeout(exit, atMostMs);
    last.then(exit, exit);
  };
  return {
    control: {
      signal: controller.signal,
      progress: (next) => {
        progress = next;
      },
      fence: () => worker.jobs.fence(job),
      die: (error) => exitAfter(end({ status: 'failed', error }), CRASH_REPORT_MS),
      // If the results cannot be stored, this is a crash as any other.
      dieAndContinue: (store) =>
        exitAfter(
          store().then(() => handOn(worker, job)),
          CRASH_STORE_MS,
        ),
    },
    stop: async () => {
      clearInterval(timer);
      await checking;
    },
  };
}

import type { JobProgress, StoredJob } from '../../../../shared/platform/jobs/record.ts';
import type { Ending } from '../../../../shared/platform/jobs/repository.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';

/** What a worker may use while it has a job. */
export interface JobControl {
  /** Aborted when the job is cancelled or given to another worker; its reason is a `JobStopped`. */
  signal: AbortSignal;
  /** Told to whoever looks at the job, with the next sign of life. */
  progress(progress: JobProgress): void;
  /** Belongs into every transaction by which the job takes effect: it fails once the job is somebody else's. */
  held(): TransactItem;
  /** Ends the job as failed and then the process, for work that nothing else can stop. */
  die(error: { code: string; message: string }): void;
}

/** How one kind of job is done. */
export interface JobWork {
  /** Answers what the finished job shows. May run again after a crash: what it commits must take effect once. */
  run(job: StoredJob, control: JobControl): Promise<Record<string, unknown>>;
  /** What belongs into the transaction that ends the job, such as an event about it. */
  afterwards?(job: StoredJob, ending: Ending): TransactItem[];
  /** The input of the job that a schedule's instant starts; undefined when the subject has no such instant any more. */
  due?(workspaceId: string, subjectId: string, scheduledAt: Date): Promise<Record<string, unknown> | undefined>;
}

/** A failure that is the job's own and that another attempt would meet again. */
export class JobFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JobFailure';
    this.code = code;
  }
}

/** Why a worker has to stop. */
export class JobStopped extends Error {
  readonly reason: 'cancelled' | 'given up';

  constructor(reason: 'cancelled' | 'given up') {
    super(`The job was ${reason}.`);
    this.name = 'JobStopped';
    this.reason = reason;
  }
}

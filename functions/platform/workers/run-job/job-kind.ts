import type { NewJob } from '../../../../shared/platform/jobs/jobs.ts';
import type { JobProgress, StoredJob } from '../../../../shared/platform/jobs/record.ts';
import type { Ending } from '../../../../shared/platform/jobs/repository.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';

/** How running work interacts with its job. */
export interface JobControl {
  /** Aborted when the job is cancelled or taken over by another worker; the reason is a `JobStopped`. */
  signal: AbortSignal;
  /** Stored with the next extension of the lease, for clients that poll the job. */
  progress(progress: JobProgress): void;
  /**
   * Must be part of every transaction by which the job takes effect: it fails if another worker has taken over the job.
   */
  fence(): TransactItem;
  /** Marks the job as failed and ends the process, for work that cannot be stopped in another way. */
  die(error: { code: string; message: string }): void;
  /**
   * Ends the process once `store` has stored what is known, for work that cannot be stopped; the next invocation
   * continues. What is stored must leave out that work, or the job never ends.
   */
  dieAndContinue(store: () => Promise<void>): void;
}

/** An instant of the schedule of a subject. */
export interface DueInstant {
  workspaceId: string;
  subjectId: string;
  scheduledAt: Date;
  /** Whether another job of the subject was active before. */
  hasWaited: boolean;
}

/** The work of one kind of job. */
export interface JobWork {
  /** Returns the result of the finished job. May run again after a crash, so its commits must take effect once. */
  run(job: StoredJob, control: JobControl): Promise<Record<string, unknown>>;
  /** Items for the transaction that ends the job, such as an event. */
  afterwards?(job: StoredJob, ending: Ending): TransactItem[] | Promise<TransactItem[]>;
  /** Whether an instant of a schedule waits while another job of the subject is active; otherwise it is skipped. */
  dueWaits?: true;
  /**
   * The input of the job for an instant of a schedule; undefined if the subject no longer has that instant, or if it
   * has waited and a later one has come meanwhile.
   */
  due?(instant: DueInstant): Promise<Record<string, unknown> | undefined>;
  /** Items for the transaction that stores the job of an instant, such as its record for users. */
  beforehand?(job: NewJob): TransactItem[];
}

/** A failure that another attempt would repeat, with a message for the user. */
export class JobFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JobFailure';
    this.code = code;
  }
}

/** Thrown by work that does not fit into one invocation: the next one goes on where this one has stored its results. */
export class JobContinues extends Error {
  constructor() {
    super('The job continues in the next invocation.');
    this.name = 'JobContinues';
  }
}

/** The reason why a worker has to stop. */
export class JobStopped extends Error {
  readonly reason: 'cancelled' | 'given up';

  constructor(reason: 'cancelled' | 'given up') {
    super(`The job was ${reason}.`);
    this.name = 'JobStopped';
    this.reason = reason;
  }
}

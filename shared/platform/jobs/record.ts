import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id, ListQuery, Nullable, StringEnum, Timestamp } from '../http/schemas.ts';
/**
 * Work on one subject that takes longer than a request may: on a dataset, a data source, a query, the quality of a
 * table, a workspace or a dashboard.
 */
export const JOB_KINDS = [
  'dataset_refresh',
  'source_sync',
  'query',
  'quality_run',
  'quality_scan',
  'workspace_export',
  'dashboard_export',
  'search_vectors',
] as const;
export type JobKind = (typeof JOB_KINDS)[number];

export const JOB_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** For the list of the jobs of one subject. */
export const JobsQuery = Type.Object({
  ...ListQuery.properties,
  status: Type.Optional(
    StringEnum(JOB_STATUSES, { description: 'Only jobs with this status, among the newest 5,000.' }),
  ),
});

export const JobTrigger = Type.Object(
  {
    kind: StringEnum(['manual', 'schedule']),
    scheduledAt: Nullable(Timestamp),
    actor: Nullable(Id),
  },
  { $id: 'JobTrigger', description: 'What started the job.' },
);
export type JobTrigger = Static<typeof JobTrigger>;

export const JobError = Type.Object(
  { code: Type.String(), message: Type.String() },
  { $id: 'JobError', description: 'Why the job failed.' },
);
export type JobError = Static<typeof JobError>;

export const JobProgress = Type.Object(
  {
    rows: Type.Optional(Type.Integer()),
    bytes: Type.Optional(Type.Integer()),
    percent: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
  },
  { $id: 'JobProgress', description: 'The progress of the job.' },
);
export type JobProgress = Static<typeof JobProgress>;

export const Job = Type.Object(
  {
    id: Id,
    kind: StringEnum(JOB_KINDS),
    subjectId: Type.String({ description: 'The id of the job’s subject, such as a dataset.' }),
    status: StringEnum(JOB_STATUSES),
    trigger: JobTrigger,
    attempt: Type.Integer({ description: 'The number of attempts; 0 before the first.' }),
    progress: Nullable(JobProgress),
    result: Nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Depends on `kind`: the new version, its rows and the values that changed (`changedValues`) for a refresh, the numbers of tables and columns for a sync, those of tests by their status for a run of tests, the dataset with its rows and those left out for failing rows, the bytes and files of the archive for an export of a workspace, the bytes and warnings of the file for one of a dashboard, the number of texts for the vectors of a search.',
      }),
    ),
    error: Nullable(JobError),
    createdAt: Timestamp,
    startedAt: Nullable(Timestamp),
    finishedAt: Nullable(Timestamp),
    durationMs: Nullable(Type.Integer()),
  },
  {
    $id: 'Job',
    description: 'Work that continues after the reply: a refresh, a sync, a query, a run of tests or an export.',
  },
);
export type Job = Static<typeof Job>;

export interface StoredJob {
  id: string;
  workspaceId: string;
  kind: JobKind;
  subjectId: string;
  status: JobStatus;
  trigger: JobTrigger;
  /** Input for the kind of job; a few hundred bytes at most. */
  input: Record<string, unknown>;
  /** Also serves as the epoch: a worker of an earlier attempt can no longer change anything. */
  attempt: number;
  /** The attempt that last handed the job on with results: attempts up to it were no failures. */
  continuedAttempt?: number;
  /** Until this time the worker of the newest attempt is assumed to be alive. */
  leaseUntil?: string;
  cancelRequestedAt?: string;
  progress: JobProgress | null;
  result: Record<string, unknown> | null;
  error: JobError | null;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  updatedAt: string;
}

export function showJob(job: StoredJob): Job {
  const { id, kind, subjectId, status, trigger, attempt, progress, result, error } = job;
  const { createdAt, startedAt, finishedAt } = job;
  const durationMs = startedAt && finishedAt ? Date.parse(finishedAt) - Date.parse(startedAt) : null;
  return {
    id,
    kind,
    subjectId,
    status,
    trigger,
    attempt,
    progress,
    result,
    error,
    createdAt,
    startedAt,
    finishedAt,
    durationMs,
  };
}

export function isActive(job: Pick<StoredJob, 'status'>): boolean {
  return job.status === 'queued' || job.status === 'running';
}

import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id, Name, Nullable, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import type { ComputeSize, ParameterValue } from '../definition/index.ts';

export const RUN_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Triggers that start a pipeline without a user. */
export const AUTOMATIC_TRIGGERS = ['schedule', 'file_arrival', 'pipeline', 'webhook'] as const;

export const TRIGGER_KINDS = ['manual', 'backfill', ...AUTOMATIC_TRIGGERS] as const;

export const RunTrigger = Type.Object(
  {
    kind: StringEnum(TRIGGER_KINDS),
    scheduledAt: Nullable(Timestamp),
    upstreamRunId: Nullable(Id),
    actor: Nullable(Id),
  },
  { $id: 'RunTrigger', description: 'What started the run.' },
);
export type RunTrigger = Static<typeof RunTrigger>;

export const RunError = Type.Object(
  { code: Type.String(), message: Type.String(), stepId: Nullable(Type.String()) },
  { $id: 'RunError', description: 'Why the run failed, and at which step.' },
);
export type RunError = Static<typeof RunError>;

export const runProperties = {
  id: Id,
  workspaceId: Id,
  pipelineId: Id,
  pipelineName: Name,
  status: StringEnum(RUN_STATUSES),
  attempt: Type.Integer({ description: 'The attempt of the whole run, from 1.' }),
  trigger: RunTrigger,
  parameters: Type.Record(Type.String(), Type.Unknown()),
  dagVersion: Type.Integer(),
  dagHash: Type.String(),
  logicalDate: Nullable(Timestamp),
  intervalStart: Nullable(Timestamp),
  intervalEnd: Nullable(Timestamp),
  backfillId: Nullable(Id),
  fullRefresh: Nullable(
    Type.Union([Type.Literal(true), Type.Array(Type.String())], {
      description: 'The incremental extracts that read all rows again: `true` for all of them, or their ids.',
    }),
  ),
  queuePosition: Nullable(
    Type.Integer({ description: 'The position among the waiting runs of the pipeline, from 1.' }),
  ),
  waitingFor: Nullable(Type.String({ description: 'Why a queued run has not started.' })),
  createdAt: Timestamp,
  startedAt: Nullable(Timestamp),
  finishedAt: Nullable(Timestamp),
  updatedAt: Timestamp,
  durationMs: Nullable(Type.Integer()),
  executionSeconds: Type.Number(),
  rowsMoved: Type.Integer(),
  bytesMoved: Type.Integer(),
  error: Nullable(RunError),
  cancelReason: Nullable(Type.String()),
};

export const Run = Type.Object(runProperties, { $id: 'Run', description: 'One execution of a pipeline.' });
export type Run = Static<typeof Run>;

/** A run as stored, at the head of its partition, which also holds its steps and events. */
export interface StoredRun {
  id: string;
  workspaceId: string;
  pipelineId: string;
  pipelineName: string;
  status: RunStatus;
  /** Also the epoch: leftovers of an earlier attempt of the run cannot change anything. */
  attempt: number;
  trigger: RunTrigger;
  parameters: Record<string, ParameterValue>;
  dagVersion: number;
  dagHash: string;
  /** The `PLAN_VERSION` when the run was created; 1 if absent. */
  planVersion?: number;
  logicalDate: string | null;
  intervalStart: string | null;
  intervalEnd: string | null;
  backfillId: string | null;
  /** The incremental extracts that read all rows again: all of them, or those of these steps. */
  fullRefresh?: true | string[];
  /** The date of a backfill's day in the time zone of the pipeline. */
  backfillDate?: string;
  createdAt: string;
  startedAt: string | null;
  /** When this attempt of the run started; absent before the start. */
  attemptStartedAt?: string;
  finishedAt: string | null;
  updatedAt: string;
  executionSeconds: number;
  rowsMoved: number;
  bytesMoved: number;
  error: RunError | null;
  cancelReason: string | null;
  cancelRequestedAt?: string;
  /** The `compute` of the pipeline when the run was created; absent if the inputs decide. */
  computeSize?: ComputeSize;
  /** The step from which this attempt of the run repeats also what has succeeded. */
  fromStep?: string;
  /** When a retried run was queued again. */
  queuedAt?: string;
  /** Ids of the runs that `cancel_previous` cancels for this one. */
  replaces?: string[];
  /**
   * Set if the run got a slot when it was created, until it starts, ends or has waited a minute for a machine.
   * Meanwhile it has no place in the queue, and its first event is not stored.
   */
  startsAtOnce?: true;
  /** When the run was first found with a slot but without a machine. */
  admittedAt?: string;
  /** The number of the newest event. */
  seq: number;
  /** The run is in the list of its workspace; absent on runs from before that list existed. */
  isListed?: true;
}

/** A longer run is cancelled. */
export const MAX_RUN_MS = 24 * 60 * 60 * 1000;

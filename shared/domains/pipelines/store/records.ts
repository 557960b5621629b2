import type { Static } from 'typebox';
import * as Type from 'typebox';
import { GateResult } from '../../../data/quality/gate-result.ts';
import type { DataFile, DatasetColumn } from '../../../data/tables/data-file.ts';
import { SchemaChange } from '../../../data/tables/schema-change.ts';
import {
  Id,
  Name,
  NextCursor,
  Nullable,
  Revision,
  StrictObject,
  StringEnum,
  Timestamp,
} from '../../../platform/http/schemas.ts';
import { Schedule } from '../../../platform/schedule/schedule.ts';
import { COMPUTE_SIZES, type ComputeSize } from '../definition/compute.ts';
import { type Concurrency, Dag, STEP_TYPES, type StepType } from '../definition/dag.ts';
import type { WrittenReason } from '../definition/fusion.ts';
import type { SkipReason } from '../definition/plan.ts';
import type { ParameterValue } from '../definition/references.ts';
import type { StepErrorCode } from '../definition/retry.ts';
import type { KeptLogs } from './step-logs.ts';
export const RUN_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const STEP_STATUSES = [...RUN_STATUSES, 'skipped'] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

export const PIPELINE_STATUSES = ['active', 'paused'] as const;

export const Compute = StrictObject(
  { size: StringEnum(Object.keys(COMPUTE_SIZES) as ComputeSize[]) },
  { $id: 'Compute', description: 'How much memory the steps get. Without it, the size of their inputs decides.' },
);

/** Triggers that start a pipeline without a user. */
export const AUTOMATIC_TRIGGERS = ['schedule', 'file_arrival', 'pipeline', 'webhook'] as const;

export const RunTrigger = Type.Object(
  {
    kind: StringEnum(['manual', 'backfill', ...AUTOMATIC_TRIGGERS]),
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

const runProperties = {
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

export const StepRun = Type.Object(
  {
    id: Id,
    runId: Id,
    stepId: Type.String(),
    type: StringEnum(STEP_TYPES),
    item: Nullable(Type.Union([Type.String(), Type.Number()])),
    itemIndex: Nullable(Type.Integer()),
    status: StringEnum(STEP_STATUSES),
    attempt: Type.Integer({ description: '0 before the first attempt.' }),
    maxAttempts: Type.Integer(),
    nextRetryAt: Nullable(Timestamp),
    skipReason: Nullable(Type.String()),
    startedAt: Nullable(Timestamp),
    finishedAt: Nullable(Timestamp),
    rowsIn: Nullable(Type.Integer()),
    rowsOut: Nullable(Type.Integer()),
    bytesOut: Nullable(Type.Integer()),
    ports: Nullable(
      Type.Record(Type.String(), Type.Integer(), { description: 'The number of rows of each port of a route.' }),
    ),
    watermark: Nullable(Type.Object({ from: Nullable(Type.String()), to: Nullable(Type.String()) })),
    gates: Type.Array(GateResult),
    schemaChanges: Type.Array(SchemaChange, { description: 'How the columns have changed, up to 100 changes.' }),
    materialization: Nullable(
      Type.Object(
        { written: Type.Boolean(), into: Nullable(Type.String()), reason: Type.String() },
        {
          description:
            'For a `transform_sql` step that succeeded: whether its rows were stored (`written`) or passed on to another step (`into`), and why.',
        },
      ),
    ),
    error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
    deliveryGuarantee: Nullable(
      Type.String({
        description:
          'Of a load: `effectively_once`, or `at_least_once` where it appends rows of an incremental extract that other loads read too. Null for other steps.',
      }),
    ),
  },
  { $id: 'StepRun', description: 'A step of a run; of a step in a `forEach` block, one item.' },
);
export type StepRun = Static<typeof StepRun>;

export const RunWithSteps = Type.Object(
  {
    ...runProperties,
    steps: Type.Array(StepRun, { description: 'In their order: all of them, or as many as one reply can hold.' }),
    stepsTotal: Type.Integer({ description: 'How many steps the run has, counting each item of a block.' }),
    stepsNextCursor: Nullable(
      Type.String({
        description: 'The `cursor` for the remaining steps in the list of steps; null when `steps` has all of them.',
      }),
    ),
  },
  { $id: 'RunWithSteps', description: 'A run with its steps.' },
);
export type RunWithSteps = Static<typeof RunWithSteps>;

export const StepRunPage = Type.Object(
  { items: Type.Array(StepRun), nextCursor: NextCursor },
  { $id: 'StepRunPage', description: 'A page of the steps of a run. The run has their number as `stepsTotal`.' },
);
export type StepRunPage = Static<typeof StepRunPage>;

export const Pipeline = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    name: Name,
    status: StringEnum(PIPELINE_STATUSES),
    dag: Dag,
    dagVersion: Type.Integer(),
    dagHash: Type.String(),
    schedule: Nullable(Type.Object({ ...Schedule.properties, nextRunAt: Nullable(Timestamp) })),
    concurrency: Type.Object({ maxConcurrentRuns: Type.Integer(), onOverlap: Type.String() }),
    compute: Nullable(Compute),
    latestRun: Nullable(
      Type.Object({
        id: Id,
        status: StringEnum(RUN_STATUSES),
        trigger: RunTrigger,
        startedAt: Nullable(Timestamp),
        finishedAt: Nullable(Timestamp),
      }),
    ),
    activeRuns: Type.Integer(),
    queuedRuns: Type.Integer(),
    createdBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    revision: Revision,
  },
  { $id: 'Pipeline', description: 'A pipeline with its definition and its latest run.' },
);
export type Pipeline = Static<typeof Pipeline>;

/** A pipeline as stored: its definition is a separate item under its hash (`dag-store.ts`). */
export interface StoredPipeline {
  id: string;
  workspaceId: string;
  name: string;
  status: (typeof PIPELINE_STATUSES)[number];
  dagVersion: number;
  dagHash: string;
  schedule: Schedule | null;
  concurrency: Required<Concurrency>;
  compute: Static<typeof Compute> | null;
  /** The generation of the webhook token; the first if absent. */
  webhookToken?: { generation: number; createdAt: string };
  createdBy: string;
  createdAt: string;
  updatedAt: string;
  revision: number;
}

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
  /** When this attempt of the run started; absent in runs that started before this was recorded. */
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
  /** When the run was first found with a slot but without a machine. */
  admittedAt?: string;
  /** The number of the newest event. */
  seq: number;
  /** Wakes the run's machine when the run is over. */
  taskToken?: string;
}

/** `pending` waits for other nodes, `ready` may begin, `waiting` waits for the time of its next attempt. */
export type StepState = 'pending' | 'ready' | 'waiting' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'skipped';

/** The output of a step for later steps. */
export interface StepOutput {
  files: DataFile[];
  columns: DatasetColumn[];
  rows: number;
  bytes: number;
  /** The rows of each port of a route; the counts of the output itself include all ports. */
  ports?: Record<string, PortOutput>;
  /** The watermark of an incremental extract once these rows are loaded; see `watermarks.ts`. */
  watermark?: WatermarkMove;
  increment?: Increment;
  /** Set for rows that were not stored: `files` names files that only the worker had, and another one computes them again. */
  fused?: FusedOutput;
}

export interface FusedOutput {
  /** The node that computed the rows. */
  index: number;
  /** The step that reads them. */
  into: string;
  /** How long computing them took, together with the fused rows that they were computed from. */
  ms: number;
  /** Whether one of the steps had an input that was skipped, so that a preview cannot compute the rows again. */
  lacksInput?: true;
}

/** Which rows of its object an incremental extract has read, unless it read it for the first time. */
export interface Increment {
  /** `continued`: those after a watermark; `refreshed`: all of them again. */
  kind: 'continued' | 'refreshed';
}

export type PortOutput = Pick<StepOutput, 'files' | 'rows' | 'bytes'>;

export interface WatermarkMove {
  column: string;
  /** How often the watermark had moved when the extract read it; if it has moved since, the load was overtaken. */
  since?: number;
  from: string | null;
  /** Null if a full refresh found no rows: the next run reads all rows. */
  to: string | null;
  boundary: readonly string[] | null;
  /** The key of a boundary with many rows, among the outputs of the attempt. */
  boundaryObject?: string;
}

export interface StoredStep extends KeptLogs {
  workspaceId: string;
  runId: string;
  index: number;
  kind: 'step' | 'barrier' | 'end';
  stepId: string;
  /** Null for nodes that are not steps. */
  type: StepType | null;
  item: string | number | null;
  itemIndex: number | null;
  status: StepState;
  /** The attempt of the run that the state belongs to. */
  epoch: number;
  /** Of a step that is repeated although it had succeeded: the attempt of the run since which its loads are new ones. */
  redo?: number;
  /** The nodes that this one still waits for; absent if there are none. */
  pending?: Set<number>;
  sawSuccess?: boolean;
  sawFailure?: boolean;
  attempt: number;
  /** Attempts in earlier attempts of the run; they do not count against `maxAttempts`. */
  attemptsBefore: number;
  maxAttempts: number;
  skipReason: SkipReason | null;
  readyAt?: string;
  startedAt?: string;
  finishedAt?: string;
  nextRetryAt?: string;
  /** The execution that runs the step; its lease ends at `leaseUntil`. */
  holder?: string;
  /** When the started worker must have begun; after a minute if absent. */
  expectedAt?: string;
  /** Since when no started worker has begun the step, and how many of them have ended. */
  noWorkerSince?: string;
  startsLost?: number;
  leaseUntil?: string;
  /** The error of the attempt, stored by a worker that had to kill itself. */
  crashReport?: StepError;
  executionSeconds: number;
  rowsIn?: number;
  rowsOut?: number;
  bytesOut?: number;
  rowsMoved?: number;
  bytesMoved?: number;
  output?: StepOutput;
  /** Set for a load that may write rows twice. */
  deliveryGuarantee?: 'at_least_once';
  gates?: GateResult[];
  schemaChanges?: SchemaChange[];
  /** Why the rows of a transform were stored; absent if they were not. */
  writtenFor?: WrittenReason;
  error?: { code: string; message: string };
}

/** A longer run is cancelled. */
export const MAX_RUN_MS = 24 * 60 * 60 * 1000;

export const TERMINAL_STATES: readonly StepState[] = ['succeeded', 'failed', 'cancelled', 'skipped'];

export function isOver(status: StepState | RunStatus): boolean {
  return TERMINAL_STATES.includes(status as StepState);
}

export interface StepError {
  code: StepErrorCode;
  message: string;
}

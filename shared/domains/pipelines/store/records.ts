import Type, { type Static } from 'typebox';
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
import type { SkipReason } from '../definition/plan.ts';
import type { ParameterValue } from '../definition/references.ts';
import type { StepErrorCode } from '../definition/retry.ts';
export const RUN_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const STEP_STATUSES = [...RUN_STATUSES, 'skipped'] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

export const PIPELINE_STATUSES = ['active', 'paused'] as const;

export const Compute = StrictObject(
  { size: StringEnum(Object.keys(COMPUTE_SIZES) as ComputeSize[]) },
  { $id: 'Compute', description: 'How much memory the steps get. Without it the size of their inputs decides.' },
);

/** Ways in which a pipeline starts by itself. */
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
  attempt: Type.Integer({ description: 'Counts the retries of the whole run, from 1.' }),
  trigger: RunTrigger,
  parameters: Type.Record(Type.String(), Type.Unknown()),
  dagVersion: Type.Integer(),
  dagHash: Type.String(),
  logicalDate: Nullable(Timestamp),
  intervalStart: Nullable(Timestamp),
  intervalEnd: Nullable(Timestamp),
  backfillId: Nullable(Id),
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
    schemaChanges: Type.Array(SchemaChange, { description: 'How the columns have changed; 100 at most.' }),
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

/** As stored: the definition lies apart under its hash (`dag-store.ts`). */
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
  /** Generation of the token of the webhook trigger; the first when absent. */
  webhookToken?: { generation: number; createdAt: string };
  createdBy: string;
  createdAt: string;
  updatedAt: string;
  revision: number;
}

/** As stored, the head of the run's partition; beside it lie the steps and the events. */
export interface StoredRun {
  id: string;
  workspaceId: string;
  pipelineId: string;
  pipelineName: string;
  status: RunStatus;
  /** Also the epoch: what an earlier attempt of the run left behind can change nothing any more. */
  attempt: number;
  trigger: RunTrigger;
  parameters: Record<string, ParameterValue>;
  dagVersion: number;
  dagHash: string;
  logicalDate: string | null;
  intervalStart: string | null;
  intervalEnd: string | null;
  backfillId: string | null;
  /** Of a backfill: the date that a clock of the pipeline's zone shows throughout its interval. */
  backfillDate?: string;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  updatedAt: string;
  executionSeconds: number;
  rowsMoved: number;
  bytesMoved: number;
  error: RunError | null;
  cancelReason: string | null;
  cancelRequestedAt?: string;
  /** As the pipeline had it when the run was created; absent when the inputs decide. */
  computeSize?: ComputeSize;
  /** Since when it waits, if that is not its creation: it was retried. */
  queuedAt?: string;
  /** Ids of the runs that have to make room for it: the pipeline cancels previous ones. */
  replaces?: string[];
  /** When it was first seen to have a slot without having been taken up. */
  admittedAt?: string;
  /** Number of the newest event. */
  seq: number;
  /** Wakes the run's machine when the run is over. */
  taskToken?: string;
}

/** `pending` waits for others, `ready` may begin, `waiting` lets time pass before its next attempt. */
export type StepState = 'pending' | 'ready' | 'waiting' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'skipped';

/** What a step leaves for those after it. */
export interface StepOutput {
  files: DataFile[];
  columns: DatasetColumn[];
  rows: number;
  bytes: number;
  /** Of a route: the rows of each port. The rows of the output itself are those of all ports. */
  ports?: Record<string, PortOutput>;
  /** Where an incremental extract stands when the loads have taken these rows; see `watermarks.ts`. */
  watermark?: WatermarkMove;
}

export type PortOutput = Pick<StepOutput, 'files' | 'rows' | 'bytes'>;

export interface WatermarkMove {
  column: string;
  /** How often the watermark had moved when the extract read it; a load that finds it moved since was overtaken. */
  since?: number;
  from: string | null;
  to: string;
  boundary: readonly string[] | null;
  /** Where the boundary of many rows lies among the outputs of the attempt. */
  boundaryObject?: string;
}

export interface StoredStep {
  workspaceId: string;
  runId: string;
  index: number;
  kind: 'step' | 'barrier' | 'end';
  stepId: string;
  /** Null for what is no step. */
  type: StepType | null;
  item: string | number | null;
  itemIndex: number | null;
  status: StepState;
  /** Attempt of the run that the state belongs to. */
  epoch: number;
  /** Nodes that are not over yet; absent when none is left. */
  pending?: Set<number>;
  sawSuccess?: boolean;
  sawFailure?: boolean;
  attempt: number;
  /** Attempts made in earlier attempts of the run: they do not count against `maxAttempts`. */
  attemptsBefore: number;
  maxAttempts: number;
  skipReason: SkipReason | null;
  readyAt?: string;
  startedAt?: string;
  finishedAt?: string;
  nextRetryAt?: string;
  /** The execution that works on it, and until when it is believed to be alive. */
  holder?: string;
  /** Until when whoever is to begin with it is waited for; the usual minute when absent. */
  expectedAt?: string;
  /** Since when nobody who was started has begun with it, and how many of them have ended. */
  noWorkerSince?: string;
  startsLost?: number;
  leaseUntil?: string;
  /** What its attempt has failed with, of a worker that had to end itself. */
  crashReport?: StepError;
  executionSeconds: number;
  rowsIn?: number;
  rowsOut?: number;
  bytesOut?: number;
  rowsMoved?: number;
  bytesMoved?: number;
  output?: StepOutput;
  /** Of a load that cannot promise each row once. */
  deliveryGuarantee?: 'at_least_once';
  gates?: GateResult[];
  schemaChanges?: SchemaChange[];
  error?: { code: string; message: string };
}

/** A run that takes longer is cancelled. */
export const LONGEST_RUN_MS = 24 * 60 * 60 * 1000;

export const TERMINAL: readonly StepState[] = ['succeeded', 'failed', 'cancelled', 'skipped'];

export function isOver(status: StepState | RunStatus): boolean {
  return TERMINAL.includes(status as StepState);
}

export interface StepError {
  code: StepErrorCode;
  message: string;
}

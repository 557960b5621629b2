import type { Static } from 'typebox';
import * as Type from 'typebox';
import { GateResult } from '../../../data/quality/gate-result.ts';
import { SchemaChange } from '../../../data/tables/schema-change.ts';
import { Id, NextCursor, Nullable, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import type { SkipReason, StepErrorCode, WrittenReason } from '../definition/index.ts';
import { STEP_TYPES, type StepType } from '../definition/index.ts';
import { RUN_STATUSES, type RunStatus } from './run-record.ts';
import type { KeptLogs } from './step-logs.ts';
import type { StepOutput } from './step-output.ts';

export const STEP_STATUSES = [...RUN_STATUSES, 'skipped'] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

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

export const StepRunPage = Type.Object(
  { items: Type.Array(StepRun), nextCursor: NextCursor },
  { $id: 'StepRunPage', description: 'A page of the steps of a run. The run has their number as `stepsTotal`.' },
);
export type StepRunPage = Static<typeof StepRunPage>;

/** `pending` waits for other nodes, `ready` may begin, `waiting` waits for the time of its next attempt. */
export type StepState = 'pending' | 'ready' | 'waiting' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'skipped';

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
  /**
   * Of a step that is repeated although it had succeeded: the attempt of the run since which its loads are new ones.
   */
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

export const TERMINAL_STATES: readonly StepState[] = ['succeeded', 'failed', 'cancelled', 'skipped'];

export function isOver(status: StepState | RunStatus): boolean {
  return TERMINAL_STATES.includes(status as StepState);
}

export interface StepError {
  code: StepErrorCode;
  message: string;
}

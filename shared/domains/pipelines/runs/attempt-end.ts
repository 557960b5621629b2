import type { SampledResult } from '../../../data/quality/gate-result.ts';
import type { SchemaChange } from '../../../data/tables/schema-change.ts';
import type { TransactItem } from '../../../platform/storage/table.ts';
import type { WrittenReason } from '../definition/index.ts';
import type { Sink, StepError, StoredStep } from '../store/index.ts';

/** How an attempt ended. */
export type AttemptEnd =
  | { kind: 'succeeded'; result: StepResult }
  | { kind: 'retry'; error: StepError; at: Date }
  | { kind: 'failed'; error: StepError }
  | { kind: 'cancelled' };

export interface StepResult {
  output?: StoredStep['output'];
  rowsIn: number;
  rowsOut: number;
  bytesOut: number;
  /** What a load committed, and its target. */
  moved?: { rows: number; bytes: number; sink: Sink };
  gates?: readonly SampledResult[];
  /** The differences of the columns from the last run. */
  schemaChanges?: readonly SchemaChange[];
  /** Why the rows of a transform were stored. */
  writtenFor?: WrittenReason;
  /** Written in the transaction that ends the attempt. */
  also?: readonly TransactItem[];
}

/** An attempt and its end. */
export interface EndedAttempt {
  /** The step at the start of the attempt. */
  step: StoredStep;
  end: AttemptEnd;
  /** When it ended; now if absent. */
  at?: Date;
  /** The gate results of the step. */
  gates?: readonly SampledResult[] | undefined;
  /** The log of the attempt, if it is kept with the step. */
  log?: string | undefined;
  /** A lost worker's time is not billed. */
  billed: boolean;
}

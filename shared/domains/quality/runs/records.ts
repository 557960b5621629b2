import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id, Nullable, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';

export const RUN_STATUSES = ['passed', 'warned', 'failed', 'error', 'skipped'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const RUN_TRIGGERS = ['manual', 'run_all', 'schedule', 'sync'] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

const Count = Type.Integer({ minimum: 0 });

export const runProperties = {
  id: Id,
  testId: Id,
  status: StringEnum(RUN_STATUSES, {
    description:
      '`failed`: too many rows fail; `error`: the test could not be run; `skipped`: there were no rows to test.',
  }),
  evaluatedRows: Nullable(Count),
  failedRows: Nullable(
    Type.Integer({ minimum: 0, description: 'Null for tests of the whole table, such as `row_count`.' }),
  ),
  passRate: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
  message: Nullable(Type.String()),
  sql: Nullable(Type.String({ description: 'The SQL that selects the failing rows; it calls the table `input`.' })),
  ranIn: Nullable(
    StringEnum(['engine', 'database'], {
      description:
        'Whether the engine has counted the rows, or the database of the table. Null if the test could not be run, and for earlier releases.',
    }),
  ),
  trigger: StringEnum(RUN_TRIGGERS),
  datasetVersion: Nullable(Type.Integer({ minimum: 0, description: 'Null for tables of data sources.' })),
  startedAt: Timestamp,
  ms: Type.Integer({ minimum: 0, description: 'How long the tests of the table took together, in milliseconds.' }),
};

export const Sample = Type.Object(
  { columns: Type.Array(Type.String()), rows: Type.Array(Type.Array(Type.Unknown())) },
  { $id: 'QualitySample', description: 'Some of the failing rows.' },
);
export type Sample = Static<typeof Sample>;

const RunWithoutSample = Type.Object(runProperties);

/** A run with the sample that some readers may see. */
export type QualityRun = Static<typeof RunWithoutSample> & { sample: Sample | null };

/**
 * The rows that a run has read. A test may be moved to another table, and a dataset replaced by one of the same name.
 */
export interface RunPlace {
  tableKey: string;
  /** Null for tables of data sources, and if there was no dataset. */
  datasetId: string | null;
}

export type StoredRun = QualityRun & RunPlace;

/** The newest result of a test, from which scores are made. */
export interface LatestResult {
  testId: string;
  tableKey: string;
  runId: string;
  status: RunStatus;
  passRate: number | null;
  evaluatedRows: number | null;
  failedRows: number | null;
  startedAt: string;
  /** How many runs in a row could not be evaluated. */
  errors: number;
  /** The rows of the last run that passed, for `comparePrevious`. */
  passedRows: number | null;
}

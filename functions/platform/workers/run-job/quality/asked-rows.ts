import type { Column } from '../../../../../shared/data/duckdb/column-types.ts';
import type { TestContext } from '../../../../../shared/data/quality/compile.ts';
import type { Evaluation, NotEvaluated } from '../../../../../shared/data/quality/evaluate.ts';
import type { QualityTest } from '../../../../../shared/data/quality/tests.ts';
import type { StoredTest } from '../../../../../shared/domains/quality/index.ts';
import type { JobControl } from '../job-kind.ts';

/** The rows of a table, as files that engines read. */
export interface TableRows {
  paths: readonly string[];
  columns: readonly Column[];
  /** Null for tables of data sources, like the version. */
  datasetId: string | null;
  datasetVersion: number | null;
  /** What the database has found. */
  results: ReadonlyMap<QualityTest, Evaluation | NotEvaluated>;
}

export interface TestsToRun {
  tests: readonly QualityTest[];
  /** Every attempt checks as of the same moment. */
  now: Date;
  previousRows: NonNullable<TestContext['previousRows']>;
}

export interface AskedRows {
  workspaceId: string;
  /** Of the table. */
  place: Pick<StoredTest, 'sourceId' | 'schemaName' | 'tableName'>;
  control: JobControl;
  /** The tests that will read the rows, of which the database may run some; without them, all columns are read. */
  tests?: TestsToRun;
  /** When the invocation has to be done, by `performance.now()`. */
  deadline: number;
}

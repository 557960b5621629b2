import type { SqlIssue } from '../../platform/errors/data-error.ts';

/** A text to check: a single SELECT over the given tables or in a source's dialect, a pattern, or a JSON path. */
export interface CheckRequest {
  op: 'check';
  statements: {
    sql: string;
    tables: string[];
    dialect?: SqlDialect | 'mysql_condition' | 're2' | 'json_path';
    /** Set for a text that is evaluated for each row: a value may compare rows with a window, a condition may not. */
    perRow?: 'value' | 'condition';
  }[];
}

export type SqlDialect = 'duckdb' | 'postgres' | 'mysql';

export type CheckAnswer = (
  | {
      ok: true;
      sql: string;
      tables: string[];
      /** Names of its parameters: `1` for `$1`, `name` for `$name`. Not reported for MySQL. */
      parameters: string[];
      /** What gives it another result at another time, such as `now()`. Reported for DuckDB only. */
      unrepeatable?: string;
    }
  | { ok: false; issues: SqlIssue[] }
)[];

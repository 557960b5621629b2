import type { SqlIssue } from '../../platform/errors/data-error.ts';

/** Is each text a single SELECT over the given tables, or in the dialect of a source, or a pattern or a path of JSON? A source's tables are its own affair. */
export interface CheckRequest {
  op: 'check';
  statements: { sql: string; tables: string[]; dialect?: SqlDialect | 'mysql_condition' | 're2' | 'json_path' }[];
}

export type SqlDialect = 'duckdb' | 'postgres' | 'mysql';

export type CheckAnswer = (
  | {
      ok: true;
      sql: string;
      tables: string[];
      /** Names of its parameters: `1` for `$1`, `name` for `$name`. Those of MySQL are not told. */
      parameters: string[];
    }
  | { ok: false; issues: SqlIssue[] }
)[];

import type { Column } from '../../../shared/data/duckdb/column-types.ts';
import { areOps, compileRecipe, opIssues } from '../../../shared/data/recipe/compile.ts';
import { emitDuckDb } from '../../../shared/data/recipe/duckdb.ts';
import { MAX_OPS, type Op } from '../../../shared/data/recipe/ops.ts';
import { bindTemplates } from '../../../shared/data/sql/templates.ts';
import type { EngineFunction, TableInput } from '../../../shared/domains/engine/index.ts';
import { findExpressionIssues, type ReferenceValues } from '../../../shared/domains/pipelines/definition/index.ts';
import { AppError, type Issue } from '../../../shared/platform/errors/app-error.ts';
import { toWireValue } from './last-run.ts';

const PREVIEW_ROWS = 20;
const PREVIEW_BYTES = 256 * 1024;
const TOO_MUCH: ReadonlySet<string> = new Set(['QUERY_TIMEOUT', 'QUERY_TOO_HEAVY', 'RESULT_TOO_LARGE']);

export interface Trial {
  tables: readonly TableInput[];
  /** The values of references in expressions. */
  values: ReferenceValues;
  /** Whether the tables hold rows of a run. */
  hasRows: boolean;
  timeoutMs: number;
}

export type OpsCheck =
  | { ok: true; ops: readonly Op[]; columns: Column[]; rowsJson: string | null }
  | {
      ok: false;
      diagnostics: Issue[];
      /** The same without any value of a row. */
      withoutRows: Issue[];
    };

/**
 * Checks operations in four stages and stops at the first with issues: the validation of pipelines, compilation, a run
 * on empty tables, and a run on the rows of the last run.
 */
export async function checkOps(
  engine: Pick<EngineFunction, 'check' | 'query'>,
  ops: readonly unknown[],
  { tables, values, hasRows, timeoutMs }: Trial,
): Promise<OpsCheck> {
  const shapes = ops.length > MAX_OPS ? [tooMany(ops.length)] : opIssues(ops, '/ops');
  if (shapes.length > 0 || !areOps(ops)) return rejected(shapes);
  const columns = Object.fromEntries(tables.map((table) => [table.name, table.columns]));
  const compiled = compileRecipe(ops, columns, { main: tables[0]!.name, at: '/ops' });
  if (compiled.issues.length > 0) return rejected(compiled.issues);
  const texts = await findExpressionIssues(ops, '/ops', engine, values);
  if (texts.length > 0) return rejected(texts);

  const { sql, params } = emitDuckDb(compiled.rows, (text, first) => bindTemplates(text, values, first));
  const run = (inputs: readonly TableInput[]) =>
    engine.query({
      sql,
      params: params.map(toWireValue),
      mayFail: true,
      tables: [...inputs],
      limit: PREVIEW_ROWS,
      maxBytes: PREVIEW_BYTES,
      timeoutMs,
    });
  // Without rows an error cannot contain data, so it may go to the model.
  const empty = await run(tables.map((table) => ({ ...table, files: [] }))).catch(asIssue);
  if ('pointer' in empty) return rejected([empty]);
  if (!hasRows) return { ok: true, ops, columns: empty.columns, rowsJson: null };
  try {
    const tried = await run(tables);
    return { ok: true, ops, columns: tried.columns, rowsJson: tried.rowsJson };
  } catch (error) {
    const issue = asIssue(error);
    // Exceeding the limits of a trial is not an issue of the operations.
    if (TOO_MUCH.has(issue.code)) return { ok: true, ops, columns: empty.columns, rowsJson: null };
    const message = 'The operations fail on rows of the data, for example where a value does not fit a type.';
    return { ok: false, diagnostics: [issue], withoutRows: [{ ...issue, message }] };
  }
}

const rejected = (diagnostics: Issue[]): OpsCheck => ({ ok: false, diagnostics, withoutRows: diagnostics });

const tooMany = (count: number): Issue => ({
  pointer: '/ops',
  code: 'MAX_ITEMS',
  message: `must have at most ${MAX_OPS} operations; it has ${count}`,
});

function asIssue(error: unknown): Issue {
  if (!(error instanceof AppError) || error.code === 'SERVICE_BUSY') throw error;
  return { pointer: '/ops', code: error.code, message: error.message };
}

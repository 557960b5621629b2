import { quoteIdentifier } from '../../../data/duckdb/quoting.ts';
import { column as columnTree, type DataType, emit, type SqlParameter } from '../../../data/expressions/index.ts';
import { select } from '../../../data/semantics/lines.ts';
import type { RelationColumn, TableRelation } from '../../../data/transforms/index.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { suggestion } from '../../../platform/validation/names.ts';
import {
  columnsWithout,
  fieldsOf,
  findPart,
  isSameColumn,
  type ModelDefinition,
  type ModelTable,
  type Transform,
  transformsOf,
} from '../models/index.ts';
import type { Rights } from '../row-rights/index.ts';
import { relationFor, type SourceOptions, sourcePlaceOf } from './model-source.ts';
import { contextOf, type QuestionDeps } from './question-context.ts';
import { runOnSource } from './run-on-source.ts';

export interface PreviewCommand {
  modelId: string;
  tableId: string;
  principal: Principal;
  /** The last step to run: null for none, all if absent. */
  afterStep?: string | null | undefined;
  columns?: readonly string[] | undefined;
  limit: number;
  timeoutMs: number;
  timezone: string;
}

export interface TablePreview {
  columns: { name: string; type: DataType }[];
  /** JSON text: an array of arrays in the order of the columns. */
  rowsJson: string;
  rowCount: number;
  truncated: boolean;
  sql: string;
}

/**
 * The first rows of a table after some of its transform steps, of those that the caller may see. Throws
 * `MODEL_NOT_FOUND`, `MODEL_TABLE_NOT_FOUND`, `MODEL_TRANSFORM_INVALID`, `QUESTION_UNANSWERABLE`, and what running the
 * statement throws.
 */
export async function previewTable(deps: QuestionDeps, command: PreviewCommand): Promise<TablePreview> {
  const { modelId, tableId, principal, limit, timeoutMs } = command;
  const definition = await deps.definitions.read({ workspaceId: principal.workspaceId, modelId });
  const table = findPart(definition, 'tables', tableId);
  const steps = stepsUntil(transformsOf(definition, tableId), command.afterStep);
  const { timezone, denied, ofCaller, ...context } = await contextOf(deps, definition, command);
  const params: SqlParameter[] = [];
  const options = { ...context, params };
  const relation = runnableRelation(table, steps, options);
  const readable = readableColumns(definition, table, { rights: context.rights, denied });
  const columns = chosenColumns(
    relation.columns!.filter(({ name }) => readable(name)),
    command.columns,
  );
  const sql = statement(relation, columns, { ...options, limit });
  const { payload, rowCount, truncated } = await runOnSource(
    deps,
    { model: definition.model, principal, ofCaller },
    { sql, params, limit, timeoutMs, timezone },
  );
  return { columns: columns.map(({ name, type }) => ({ name, type })), rowsJson: payload, rowCount, truncated, sql };
}

function stepsUntil(steps: readonly Transform[], last: string | null | undefined): readonly Transform[] {
  if (last === undefined) return steps;
  if (last === null) return [];
  const at = steps.findIndex(({ id }) => id === last);
  if (at >= 0) return steps.slice(0, at + 1);
  const errors = [{ pointer: '/afterStep', code: 'UNKNOWN_STEP', message: 'is not a transform step of the table' }];
  throw new AppError('VALIDATION_FAILED', { errors });
}

/** Columns of the source that the caller may not see are not there for the steps either. */
function runnableRelation(table: ModelTable, steps: readonly Transform[], options: SourceOptions): TableRelation {
  if (!table.columns) {
    const message = `The columns of ${table.alias} are not known. Sync its source first.`;
    const errors = [{ pointer: '', code: 'UNKNOWN_COLUMNS', message }];
    throw new AppError('QUESTION_UNANSWERABLE', { detail: message, errors });
  }
  const relation = relationFor(table, steps, options);
  if (!('problems' in relation)) return relation;
  const { stepId, issues } = relation.problems[0]!;
  const { order, type } = steps.find(({ id }) => id === stepId)!;
  throw new AppError('MODEL_TRANSFORM_INVALID', {
    detail: `The step ${order} (${type}) does not fit the columns of the table that you may see.`,
    errors: issues.map(({ pointer, code, message }) => ({ pointer: `/config${pointer}`, code, message })),
    members: { stepId },
  });
}

/**
 * Whether the caller may see a column. Where they may not see one that steps compute, they see no other that is there
 * only between steps: it may have the same values under another name.
 */
function readableColumns(
  definition: ModelDefinition,
  { id, columns }: ModelTable,
  { rights, denied }: { rights: Rights; denied: ReadonlySet<string> },
): (name: string) => boolean {
  const isOf = (names: readonly string[], name: string) => names.some((other) => isSameColumn(other, name));
  const secret = fieldsOf(definition, id).flatMap((field) => (denied.has(field.id) ? (field.sourceColumn ?? []) : []));
  if (secret.length === 0) return () => true;
  const source = columns!.map(({ name }) => name);
  const hidden = rights.of(sourcePlaceOf(definition.tables.get(id)!))?.hidden ?? [];
  const final = [...columnsWithout(definition, id, hidden), ...source];
  return (name) => !isOf(secret, name) && isOf(final, name);
}

function chosenColumns(columns: readonly RelationColumn[], names: readonly string[] | undefined): RelationColumn[] {
  if (!names) return [...columns];
  const known = new Map(columns.map((column) => [column.name, column]));
  const errors = names.flatMap((name, index) => {
    const message = `is not a column at this step${suggestion(name, [...known.keys()])}`;
    return known.has(name) ? [] : [{ pointer: `/columns/${index}`, code: 'UNKNOWN_COLUMN', message }];
  });
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  return names.map((name) => known.get(name)!);
}

function statement(
  { sql, order }: TableRelation,
  columns: readonly RelationColumn[],
  { dialect, clock, limit }: Pick<SourceOptions, 'dialect' | 'clock'> & { limit: number },
): string {
  const shown = columns.map(({ name, type, stored }) => {
    const columnOf = () => ({ column: name, ...(stored ? { stored } : {}) });
    const emission = emit(columnTree(name, type), { dialect, ...clock, columnOf });
    if (emission.kind !== 'sql') throw new TypeError('a column has SQL');
    return `${emission.sql} AS ${quoteIdentifier(name)}`;
  });
  const sorted = order.length > 0 ? [`ORDER BY ${order.join(', ')}`] : [];
  return [...select(shown), `FROM ${sql} AS preview`, ...sorted, `LIMIT ${limit + 1}`].join('\n');
}

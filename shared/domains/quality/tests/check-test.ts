import type { Column } from '../../../data/duckdb/column-types.ts';
import { configIssues } from '../../../data/quality/config-issues.ts';
import { checksType, columnsOf, type QualityTest, TEST_CONFIGS, WITHOUT_COLUMN } from '../../../data/quality/tests.ts';
import { balancedIssue, conditionStatement } from '../../../data/sql/condition.ts';
import { mentionedNames } from '../../../data/sql/mentioned-names.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import { suggestion } from '../../../platform/validation/names.ts';
import { shapeIssues } from '../../../platform/validation/shape-issues.ts';
import type { EngineFunction } from '../../engine/index.ts';
import { DATASETS } from '../../semantics/models/index.ts';
import { hiddenTables, type Reads, type RightsDeps, requireAllRows } from '../../semantics/row-rights/index.ts';
import type { DatasetRepository } from '../../warehouse/datasets/index.ts';
import { type CheckedTable, type FoundTable, nameOfTable } from '../table.ts';

export interface CheckDeps {
  datasets: Pick<DatasetRepository, 'find' | 'findMany'>;
  engine: Pick<EngineFunction, 'describe'>;
  rights: RightsDeps;
}

/**
 * Checks the settings of a test against the columns of its table. Throws `VALIDATION_FAILED` with every issue, and
 * `RLS_RAW_SQL` if the author may not see all of the tables that the test reads: counts would reveal what is hidden.
 */
export async function checkTest(
  deps: CheckDeps,
  principal: Principal,
  { table, test }: { table: FoundTable; test: QualityTest },
): Promise<void> {
  const issues = [...shapeIssues(TEST_CONFIGS[test.type], test.config, '/config'), ...columnShapeIssues(test)];
  if (issues.length === 0) issues.push(...configIssues(test, '/config'), ...columnIssues(test, table));
  throwIssues(issues);
  await assertMayTest(deps.rights, principal, table, referencedBy(test));
  throwIssues([
    ...(await referenceIssues(deps, principal, test)),
    ...(await queryIssues(deps, principal, test)),
    ...(await sqlIssues(deps, test, table.columns!)),
  ]);
}

/**
 * Throws `RLS_RAW_SQL` unless the caller may see every row and column of the table, and of further datasets, or decides
 * themselves who does.
 */
async function assertMayTest(
  rights: RightsDeps,
  principal: Principal,
  table: CheckedTable,
  datasets: readonly string[] = [],
): Promise<void> {
  await requireAllRows(rights, principal, {
    reads: readsOfTest(table, datasets),
    pointer: '/tableName',
    code: 'RLS_RAW_SQL',
  });
}

/** The datasets that a test reads besides its table; of a query, all names that may be one. */
export function referencedBy(test: QualityTest): string[] {
  if (test.type === 'foreign_key') return [test.config.refTable];
  const { query } = test.config as { query?: string };
  return query === undefined ? [] : mentionedNames(query);
}

export async function seesAll(
  rights: RightsDeps,
  principal: Principal,
  table: CheckedTable,
  datasets: readonly string[] = [],
): Promise<boolean> {
  return (await hiddenTables(rights, principal, readsOfTest(table, datasets))).length === 0;
}

function readsOfTest({ sourceId, tableName }: CheckedTable, datasets: readonly string[]): Reads {
  if (sourceId === DATASETS) return { sources: [], datasets: [tableName, ...datasets] };
  return { sources: [{ sourceId, tables: 'all' }], datasets };
}

function throwIssues(errors: readonly Issue[]): void {
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors: [...errors] });
}

function columnShapeIssues({ type, column, config }: QualityTest): Issue[] {
  const pointer = '/columnName';
  if (WITHOUT_COLUMN.has(type)) {
    const message = `is not allowed for ${type}; remove it`;
    return column === undefined ? [] : [{ pointer, code: 'NOT_ALLOWED', message }];
  }
  const columns = (config as { columns?: unknown }).columns;
  if (column === undefined) {
    return type === 'unique' && columns ? [] : [{ pointer, code: 'REQUIRED', message: `is required for ${type}` }];
  }
  if (type !== 'unique' || !columns) return [];
  return [
    { pointer: '/config/columns', code: 'NOT_ALLOWED', message: 'cannot be combined with columnName; remove one' },
  ];
}

function columnIssues(test: QualityTest, table: FoundTable): Issue[] {
  const { columns } = table;
  if (!columns) {
    const message = `is a table whose columns are not known; sync its data source first`;
    return [{ pointer: '/tableName', code: 'UNKNOWN_COLUMNS', message }];
  }
  return columnsOf(test).flatMap((name, index) => {
    const pointer = placeOfColumn(test, index);
    const column = columns.find((each) => each.name === name);
    if (!column) {
      const known = columns.map((each) => each.name);
      const message = `is not a column of ${nameOfTable(table)}${suggestion(name, known)}`;
      return [{ pointer, code: 'UNKNOWN_COLUMN', message }];
    }
    if (checksType(test.type, column.type)) return [];
    return [{ pointer, code: 'COLUMN_TYPE', message: `is ${column.type}, which ${test.type} cannot check` }];
  });
}

function placeOfColumn({ type, column }: QualityTest, index: number): string {
  if (column !== undefined) return '/columnName';
  return type === 'duplicate_detection' ? `/config/keys/${index}` : `/config/columns/${index}`;
}

async function referenceIssues({ datasets }: CheckDeps, { workspaceId }: Principal, test: QualityTest) {
  if (test.type !== 'foreign_key') return [];
  const { refTable, refColumn } = test.config;
  const dataset = await datasets.find(workspaceId, refTable);
  if (!dataset || dataset.name !== refTable) {
    return [{ pointer: '/config/refTable', code: 'UNKNOWN_TABLE', message: 'is not the name of a dataset' }];
  }
  const known = dataset.columns.map(({ name }) => name);
  if (known.includes(refColumn)) return [];
  const message = `is not a column of ${refTable}${suggestion(refColumn, known)}`;
  return [{ pointer: '/config/refColumn', code: 'UNKNOWN_COLUMN', message }];
}

/** Issues of the author's SQL over the columns of the table, which it calls `input`. */
async function sqlIssues(deps: CheckDeps, test: QualityTest, columns: Column[]): Promise<Issue[]> {
  const tables = [{ name: 'input', columns }];
  if (test.type === 'custom_sql') return describeIssues(deps, { sql: test.config.sql, tables, pointer: '/config/sql' });
  const { where } = test.config;
  if (where === undefined) return [];
  const pointer = '/config/where';
  const unbalanced = balancedIssue(where);
  if (unbalanced) return unbalanced.issues.map((issue) => ({ pointer, ...issue }));
  return describeIssues(deps, { sql: conditionStatement(where), tables, pointer });
}

const SQL_ERRORS: readonly string[] = ['SQL_PARSE', 'SQL_NOT_READ_ONLY', 'SQL_ERROR'];

/** Issues of the query that returns the allowed values. */
async function queryIssues(deps: CheckDeps, { workspaceId }: Principal, test: QualityTest): Promise<Issue[]> {
  if (test.type !== 'allowed_values' || test.config.query === undefined) return [];
  const datasets = await deps.datasets.findMany(workspaceId, referencedBy(test));
  const tables = datasets.map(({ name, columns }) => ({ name, columns })).filter(({ columns }) => columns.length > 0);
  return describeIssues(deps, { sql: test.config.query, tables, pointer: '/config/query', maxColumns: 1 });
}

interface Statement {
  sql: string;
  tables: { name: string; columns: Column[] }[];
  pointer: string;
  maxColumns?: number;
}

async function describeIssues(
  { engine }: CheckDeps,
  { sql, tables, pointer, maxColumns }: Statement,
): Promise<Issue[]> {
  try {
    const { parameters, columns } = await engine.describe({ sql, params: {}, tables });
    if (parameters.length > 0) return [{ pointer, code: 'NOT_ALLOWED', message: 'must not have parameters' }];
    const isWide = maxColumns !== undefined && columns.length > maxColumns;
    return isWide ? [{ pointer, code: 'MAX_ITEMS', message: `must return ${maxColumns} column` }] : [];
  } catch (error) {
    if (!(error instanceof AppError) || !SQL_ERRORS.includes(error.code)) throw error;
    const issues = error.errors.length > 0 ? error.errors : [{ code: error.code, message: error.message }];
    return issues.map(({ code, message }) => ({ pointer, code, message }));
  }
}

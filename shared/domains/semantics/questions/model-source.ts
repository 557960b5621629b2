import type { SqlParameter } from '../../../data/expressions/index.ts';
import type { Source } from '../../../data/semantics/writer.ts';
import { type StepProblem, tableRelation } from '../../../data/transforms/index.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import {
  columnIn,
  type DIALECTS,
  isSameColumn,
  type ModelDefinition,
  type ModelTable,
  type Transform,
  transformsOf,
} from '../models/index.ts';
import { emitRows, type Rights } from '../row-rights/index.ts';
import type { Clock } from './conditions.ts';

export type Dialect = (typeof DIALECTS)[number];

export interface SourceOptions {
  dialect: Dialect;
  clock: Clock;
  rights: Rights;
  /** Tables that the caller may not read, because they may show rows of others. */
  opaque: ReadonlySet<string>;
  /** Those of the statement: relations add theirs. */
  params: SqlParameter[];
}

export const sourcePlaceOf = ({ sourceSchema: schema, sourceTable: table }: ModelTable) => ({ schema, table });

/**
 * The tables of the model as the caller may see them, after their transform steps. `relation` throws
 * `QUESTION_UNANSWERABLE` for a table whose steps do not fit its columns any more.
 */
export function sourceOf(definition: ModelDefinition, options: SourceOptions): Source {
  const column = columnIn(definition, options.dialect);
  const relations = new Map<string, string>();
  const isRestricted = (table: ModelTable) => (options.rights.of(sourcePlaceOf(table))?.rows ?? 'all') !== 'all';
  return {
    relation: (tableId) => {
      const relation = relations.get(tableId) ?? relationSql(definition, tableId, options);
      relations.set(tableId, relation);
      return relation;
    },
    column: (fieldId) => {
      const { table: _alias, ...rest } = column({ table: '', field: fieldId });
      return rest;
    },
    restricted: new Set([...definition.tables.values()].filter(isRestricted).map(({ id }) => id)),
  };
}

function relationSql(definition: ModelDefinition, tableId: string, options: SourceOptions): string {
  const relation = relationFor(definition.tables.get(tableId)!, transformsOf(definition, tableId), options);
  if ('sql' in relation) return relation.sql;
  const message = reasonAgainst(definition, relation.problems[0]!);
  const errors = [{ pointer: '', code: 'STEP_INVALID', message }];
  throw new AppError('QUESTION_UNANSWERABLE', { detail: message, errors });
}

function reasonAgainst({ transforms, tables }: ModelDefinition, { stepId, issues }: StepProblem): string {
  const { tableId, order, type } = transforms.get(stepId)!;
  const [{ pointer, message }] = issues as [StepProblem['issues'][number]];
  const place = pointer === '' ? '' : ` \`${pointer}\``;
  return `The transform step ${order} (${type}) of ${tables.get(tableId)!.alias} cannot run:${place} ${message}.`;
}

/** The rows of a table that the caller may see, after some of its steps, which do not see hidden columns either. */
export function relationFor(
  { id, alias, sourceSchema: schema, sourceTable: name, columns }: ModelTable,
  steps: readonly Transform[],
  { dialect, clock, rights, opaque, params }: SourceOptions,
): ReturnType<typeof tableRelation> {
  if (opaque.has(id)) throw opaqueError(alias);
  const restriction = rights.of({ schema, table: name });
  // Datasets are read as copies of the permitted rows, and the tables that policies read besides are not there for the
  // statement.
  const isWithoutPartners = dialect === 'duckdb';
  const isOpen = restriction === undefined || restriction.rows === 'all';
  return tableRelation({
    table: { schema, name, columns: visibleColumns(columns, restriction?.hidden ?? []) },
    conditions: isOpen ? [] : [emitRows(restriction, { dialect, params, alias: name, isWithoutPartners }).sql],
    steps,
    dialect,
    params,
    ...clock,
  });
}

const visibleColumns = (columns: ModelTable['columns'], hidden: readonly string[]): ModelTable['columns'] =>
  hidden.length === 0
    ? columns
    : (columns?.filter(({ name }) => !hidden.some((each) => isSameColumn(each, name))) ?? null);

function opaqueError(alias: string): AppError {
  const message = `You may see only a part of this database. ${alias} is not known to be a table of its own, so it may show other tables' rows: sync the source, or give it row-level security policies if it is a view.`;
  return new AppError('QUESTION_UNANSWERABLE', {
    detail: message,
    errors: [{ pointer: '', code: 'RLS_RAW_SQL', message }],
  });
}

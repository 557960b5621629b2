import { SIDES, type Side } from '../../../data/blends/join-sql.ts';
import { positionalParameters } from '../../../data/sql/positional-parameters.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import { suggestion } from '../../../platform/validation/names.ts';
import { DATASETS, fieldsOf, type ModelDefinition } from '../models/index.ts';
import { mentionedDatasets, rightsToDatasets, tablesOf } from '../queries/index.ts';
import {
  type AnswerColumn,
  compileTable,
  contextOf,
  type QuestionDeps,
  type QuestionInput,
} from '../questions/index.ts';
import type { ReaderRights } from '../row-rights/index.ts';
import type { SideStatement } from './protocol.ts';
import type { SideTable } from './sides.ts';

/** What is wanted of a side: fields by their names or ids. */
export interface SideInput extends SideTable {
  side: Side;
  columns: readonly string[];
  filters: QuestionInput['filters'];
  /** The ids of the key fields. */
  keys: readonly string[];
}

export interface CompiledSide extends ReadSide {
  /** The columns that the caller wants; those of the statement are named `c1`, `c2`, …, and the keys follow them. */
  columns: readonly AnswerColumn[];
  keyColumns: readonly string[];
}

export interface ReadSide {
  statement: SideStatement;
  /** What the answer depends on, for the cache. */
  reads: readonly unknown[];
  fingerprint: string;
  isLive: boolean;
}

type Deps = Pick<QuestionDeps, 'datasets' | 'manifest' | 'live' | 'rights' | 'readTables' | 'now'>;

/**
 * The statement for the rows of a side that the caller may see. Throws `VALIDATION_FAILED` for what the side does not
 * have or the caller may not use, `QUESTION_UNANSWERABLE` and `SOURCE_NOT_QUERYABLE`.
 */
export async function compileSide(
  deps: Deps,
  definition: ModelDefinition,
  { side, tableId, columns, filters, keys }: SideInput,
  { principal, timezone: wanted }: { principal: Principal; timezone: string },
): Promise<CompiledSide> {
  const { timezone: _, ofCaller, ...context } = await contextOf(deps, definition, { principal, timezone: wanted });
  const fields = [
    ...fieldIds(definition, { side, tableId, columns }),
    ...keys.map((fieldId, index) => ({ fieldId, pointer: `/keys/${index}/${side}` })),
  ];
  const compiled = compileTable(
    definition,
    { tableId, columns: fields, filters, filtersPointer: `/${side}Filters` },
    context,
  );
  const source = await sourceOf(deps, definition, compiled, ofCaller);
  return {
    ...source,
    columns: compiled.columns.slice(0, columns.length),
    keyColumns: keys.map((_key, index) => `c${columns.length + index + 1}`),
  };
}

/** Where a compiled statement runs, with what the caller may see there. */
export async function sourceOf(
  deps: Deps,
  { model: { sourceId, workspaceId } }: ModelDefinition,
  { sql, params }: Pick<ReturnType<typeof compileTable>, 'sql' | 'params'>,
  ofCaller: ReaderRights,
): Promise<ReadSide> {
  if (sourceId !== DATASETS) {
    const { id, updatedAt } = await deps.live.find(workspaceId, sourceId);
    const bound = positionalParameters(sql, [...params] as Parameters<typeof positionalParameters>[1]);
    const statement = { sql: bound.sql, params: bound.values as SideStatement['params'], from: { sourceId } };
    return { statement, reads: [{ id, updatedAt }], fingerprint: 'all', isLive: true };
  }
  const datasets = await mentionedDatasets(deps, { workspaceId, sql });
  const { restrictions, fingerprint } = await rightsToDatasets(ofCaller, datasets);
  const tables = await tablesOf(deps, datasets, { sql, restrictions });
  return {
    statement: { sql, params: [...params] as SideStatement['params'], from: { tables } },
    reads: datasets.map(({ id, name, version }) => ({ id, name, version })),
    fingerprint,
    isLive: false,
  };
}

/** Throws `VALIDATION_FAILED` with every name that is not a field of the table, or is there twice. */
function fieldIds(
  definition: ModelDefinition,
  { side, tableId, columns }: Pick<SideInput, 'side' | 'tableId' | 'columns'>,
): { fieldId: string; pointer: string }[] {
  const found = columns.map((name, index) => ({
    fieldId: fieldNamed(definition, tableId, name)?.id,
    pointer: `/${side}Columns/${index}`,
    name,
  }));
  const known = fieldsOf(definition, tableId).map(({ name }) => name);
  const errors = found.flatMap(({ fieldId, pointer, name }, index): Issue[] => {
    if (fieldId === undefined)
      return [{ pointer, code: 'UNKNOWN_FIELD', message: `is not a field of the table${suggestion(name, known)}` }];
    const isRepeated = found.findIndex((other) => other.fieldId === fieldId) < index;
    return isRepeated ? [{ pointer, code: 'CONFLICT', message: 'is already a column' }] : [];
  });
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  return found.map(({ fieldId, pointer }) => ({ fieldId: fieldId!, pointer }));
}

/** By its id or by its name, whose case does not matter. */
export function fieldNamed(definition: ModelDefinition, tableId: string, name: string) {
  const fields = fieldsOf(definition, tableId);
  return fields.find(({ id }) => id === name) ?? fields.find((each) => each.name.toLowerCase() === name.toLowerCase());
}

export const bothSides = <T>(make: (side: Side) => T): Record<Side, T> =>
  Object.fromEntries(SIDES.map((side) => [side, make(side)])) as Record<Side, T>;

/** What both sides give, or the issues of both together. */
export async function bothOrIssues<T>({ left, right }: Record<Side, Promise<T>>): Promise<Record<Side, T>> {
  const [one, other] = await Promise.allSettled([left, right]);
  if (one.status === 'fulfilled' && other.status === 'fulfilled') return { left: one.value, right: other.value };
  const reasons = [one, other].flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  const isInvalid = (reason: unknown): reason is AppError =>
    reason instanceof AppError && reason.code === 'VALIDATION_FAILED';
  if (!reasons.every(isInvalid)) throw reasons.find((reason) => !isInvalid(reason));
  throw new AppError('VALIDATION_FAILED', { errors: reasons.flatMap(({ errors }): readonly Issue[] => errors) });
}

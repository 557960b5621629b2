import type { SqlColumn } from '../../../data/expressions/index.ts';
import { column as columnTree, type DataType, type Dialect, emit, readsOf } from '../../../data/expressions/index.ts';
import { columnSql } from '../../../data/semantics/writer.ts';
import {
  isSameColumn,
  type ModelDefinition,
  type Policy,
  pathToOne,
  placeOfTable,
  policyAnalysis,
  type SourcePlace,
} from '../models/index.ts';
import { type KnownColumns, storageOf } from './stored-columns.ts';

/** A table that a policy reads besides its own: each row has at most one match in it. */
export interface Partner {
  place: SourcePlace;
  /** The index of the partner by which it is reached; the table of the policy if absent. */
  from?: number;
  /** Both are equal for rows that match. */
  near: KeyColumn;
  far: KeyColumn;
}

interface KeyColumn extends SqlColumn {
  /** Equal for columns that the database compares without a conversion. */
  storedAs: string;
  dataType: DataType;
}

/** The tables that rows lead to, in the order of joining, and the index of each by the id of the table. */
export interface Partners {
  list: Partner[];
  indexes: Map<string, number>;
}

export interface PartnerContext {
  definition: ModelDefinition;
  dialect: Dialect;
  /** The columns of a table of the model as they are now; null if they are not known. */
  columnsOf(tableId: string): KnownColumns | null;
}

/** The names of the source tables that a policy reads besides its own, with those on the way to them. */
export const partnerTables = (definition: ModelDefinition, policy: Policy): string[] =>
  partnerPlaces(definition, policy).map(({ table }) => table);

/** The source tables that a policy reads besides its own, with those on the way to them. */
export function partnerPlaces(definition: ModelDefinition, policy: Policy): SourcePlace[] {
  const { valid } = policyAnalysis(definition, policy);
  const targets = valid ? readsOf(valid.tree).tables.filter((id) => id !== policy.tableId) : [];
  return targets.flatMap((target) => {
    const path = pathToOne(definition, policy.tableId, target);
    return 'problem' in path ? [] : path.hops.map(({ to }) => placeOfTable(definition.tables.get(to.tableId)!));
  });
}

/** The partners by which rows of a table lead to others. Undefined if a path or one of its columns is not there. */
export function partnersOf(
  { definition, dialect, columnsOf }: PartnerContext,
  tableId: string,
  targets: Iterable<string>,
): Partners | undefined {
  const list: Partner[] = [];
  const indexes = new Map<string, number>();
  for (const target of targets) {
    const path = pathToOne(definition, tableId, target);
    if ('problem' in path) return undefined;
    for (const { from, to } of path.hops) {
      if (indexes.has(to.tableId)) continue;
      const [near, far] = [from, to].map(({ tableId: id, fieldId }) =>
        keyColumn(definition.fields.get(fieldId), columnsOf(id), dialect),
      );
      if (!near || !far) return undefined;
      const index = indexes.get(from.tableId);
      const place = placeOfTable(definition.tables.get(to.tableId)!);
      indexes.set(to.tableId, list.push({ place, ...(index === undefined ? {} : { from: index }), near, far }) - 1);
    }
  }
  return { list, indexes };
}

function keyColumn(
  field: { sourceColumn: string | null; dataType: DataType } | undefined,
  columns: KnownColumns | null,
  dialect: Dialect,
): KeyColumn | undefined {
  const column = columns?.find(({ name }) => field?.sourceColumn && isSameColumn(name, field.sourceColumn));
  const stored = column && storageOf(column.type, field!.dataType, dialect);
  if (!column || stored === undefined) return undefined;
  const { dataType } = field!;
  return {
    column: column.name,
    storedAs: storedAs(column, dialect),
    dataType,
    ...(stored === 'same' ? {} : { stored }),
  };
}

/** A text of a database may be one of several types of its own, which it does not compare with each other. */
const storedAs = ({ type, sourceType }: KnownColumns[number], dialect: Dialect): string =>
  dialect === 'duckdb' ? type : (sourceType ?? (type === 'string' ? '' : type));

/** The condition that rows match. Keys of one type are compared as they are, so that a database can use its indexes. */
export function matchSql(near: KeyColumn & { table: string }, far: KeyColumn & { table: string }, dialect: Dialect) {
  const isAlike = near.storedAs !== '' && near.storedAs === far.storedAs;
  const write = ({ storedAs: _type, dataType, ...column }: KeyColumn) => {
    if (isAlike) return columnSql(column);
    const emission = emit(columnTree('key', dataType), { dialect, columnOf: () => column, now: new Date(0) });
    if (emission.kind !== 'sql') throw new TypeError('a column has SQL');
    return emission.sql;
  };
  return `${write(near)} = ${write(far)}`;
}

import type { Entry } from '../entries.ts';
import { innerEntries } from '../entries.ts';
import { type ColumnTypes, Table } from '../model.ts';
import { dataTypeOf } from '../types.ts';
import { textOf } from '../values.ts';
import { tableNameOf } from './project.ts';

/** A table for a model of dbt, with the types that its columns state. */
export function tableFor(alias: string, relation: Entry | undefined, name: string, context: TableContext): Table {
  const table = new Table(
    alias,
    { name: (relation && tableNameOf(relation)) ?? name, schema: context.schema },
    context.types,
  );
  for (const column of relation ? innerEntries(relation, 'columns') : []) {
    const [columnName, type] = [textOf(column.members.name), textOf(column.members.data_type)];
    const known = type === undefined ? undefined : dataTypeOf(type);
    if (columnName !== undefined && known) table.declareType(columnName, known);
  }
  return table;
}

export interface TableContext {
  schema: string | undefined;
  types: ColumnTypes;
}

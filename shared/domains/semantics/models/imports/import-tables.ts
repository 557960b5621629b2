import { dataTypeOf } from '../../../../data/transforms/index.ts';
import { AppError } from '../../../../platform/errors/app-error.ts';
import { idFrom } from '../../../../platform/storage/ids.ts';
import { listed } from '../../../../platform/validation/names.ts';
import type { Edit, ModelDefinition } from '../definition/definition.ts';
import { applyEdit, fieldsOf, folded, transformsOf } from '../definition/definition.ts';
import { assertRoom } from '../definition/limits.ts';
import type { ModelField, ModelTable } from '../definition/records.ts';
import { type SourceTable, storedColumn } from '../definition/source-tables.ts';
import { type Act, newStamps, touched } from '../definition/stamps.ts';
import { isMissing } from '../parts/missing.ts';
import { columnsAfterSteps } from '../parts/transforms.ts';
import { fieldDefaults } from './import-defaults.ts';

/** What an import or a sync has changed, in the words of authors. */
export interface SyncReport {
  tablesAdded: number;
  fieldsAdded: number;
  /** Columns with another type than before, and columns that are back. */
  fieldsChanged: FieldChange[];
  /** Fields whose column the source does not have any more. */
  fieldsMissing: FieldChange[];
}

interface FieldChange {
  table: string;
  field: string;
  fieldId: string;
}

const MAX_LISTED_NAMES = 200;

interface Imported {
  edit: Edit;
  report: SyncReport;
}

/**
 * Adds the tables that the model does not have yet, with a field for each column, and brings the others up to date. A
 * repeated import changes nothing. Throws `VALIDATION_FAILED` for tables that the source does not have.
 */
export function importTables(
  definition: ModelDefinition,
  source: readonly SourceTable[],
  wanted: { schema?: string | undefined; tables?: readonly string[] | undefined },
  act: Act,
): Imported {
  const selected = selectedTables(source, wanted);
  const known = new Map<string, ModelTable[]>();
  for (const table of definition.tables.values()) known.set(place(table), [...(known.get(place(table)) ?? []), table]);
  const existing = selected.flatMap((table) => known.get(sourceKeyOf(table)) ?? []);
  const added = selected.filter((table) => !known.has(sourceKeyOf(table)));
  const synced = syncTables(definition, source, existing, act);
  assertRoom(definition, 'tables', added.length);
  const aliases = new Set([...definition.tables.values()].map(({ alias }) => folded(alias)));
  const made = added.map((table) => newTable(definition, table, aliases, act));
  const fields = [...(synced.edit.put?.fields ?? []), ...made.flatMap((each) => each.fields)];
  assertRoom(definition, 'fields', fields.filter(({ id }) => !definition.fields.has(id)).length);
  return {
    edit: { put: { tables: [...(synced.edit.put?.tables ?? []), ...made.map(({ table }) => table)], fields } },
    report: {
      ...synced.report,
      tablesAdded: made.length,
      fieldsAdded: synced.report.fieldsAdded + made.reduce((sum, each) => sum + each.fields.length, 0),
    },
  };
}

/** Brings the tables of the model up to date. Nothing is deleted: what the source does not have any more is marked. */
export function resyncTables(definition: ModelDefinition, source: readonly SourceTable[], act: Act): Imported {
  const synced = syncTables(definition, source, [...definition.tables.values()], act);
  assertRoom(definition, 'fields', synced.report.fieldsAdded);
  return synced;
}

const place = ({ sourceSchema, sourceTable }: ModelTable) => JSON.stringify([sourceSchema, sourceTable]);
const sourceKeyOf = ({ schema, name }: SourceTable) => JSON.stringify([schema, name]);

function selectedTables(
  source: readonly SourceTable[],
  { schema, tables }: { schema?: string | undefined; tables?: readonly string[] | undefined },
): SourceTable[] {
  const inSchema = schema === undefined ? source : source.filter((table) => table.schema === schema);
  if (!tables) return [...inSchema];
  const unknown = tables.flatMap((name, index) => (inSchema.some((table) => isNamed(table, name)) ? [] : [index]));
  if (unknown.length > 0) {
    const known = listed(inSchema.map((table) => qualified(table)));
    throw new AppError('VALIDATION_FAILED', {
      errors: unknown.map((index) => ({
        pointer: `/tables/${index}`,
        code: 'UNKNOWN_TABLE',
        message: `is not a table of the source; it has ${known || 'no tables'}`,
      })),
    });
  }
  return inSchema.filter((table) => tables.some((name) => isNamed(table, name)));
}

const qualified = ({ schema, name }: SourceTable) => (schema === '' ? name : `${schema}.${name}`);
const isNamed = (table: SourceTable, name: string) => table.name === name || qualified(table) === name;

/**
 * The id is derived from the names, so that a repeated import makes the same parts; an author may have repointed its
 * part.
 */
function freeId(taken: { has(id: string): boolean }, kind: string, ...names: string[]): string {
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? idFrom(kind, ...names) : idFrom(kind, ...names, number);
    if (!taken.has(id)) return id;
  }
}

function newTable(
  definition: ModelDefinition,
  source: SourceTable,
  aliases: Set<string>,
  act: Act,
): { table: ModelTable; fields: ModelField[] } {
  const table: ModelTable = {
    id: freeId(definition.tables, 'model-table', definition.model.id, source.schema, source.name),
    sourceSchema: source.schema,
    sourceTable: source.name,
    alias: freeName(validName(source.name), aliases, 100),
    description: '',
    columns: source.columns?.map(storedColumn) ?? null,
    missing: false,
    ...newStamps(act),
  };
  return {
    table,
    fields: newFields(definition, table, source.columns ?? [], { names: new Set(), firstOrdinal: 1 }, act),
  };
}

type Column = NonNullable<SourceTable['columns']>[number];

/** Fields after those that the table has; `names` are taken. */
function newFields(
  definition: ModelDefinition,
  table: ModelTable,
  columns: readonly Column[],
  { names, firstOrdinal }: { names: Set<string>; firstOrdinal: number },
  act: Act,
): ModelField[] {
  return columns.map((column, index) => ({
    id: freeId(definition.fields, 'model-field', table.id, column.name),
    tableId: table.id,
    name: freeName(validName(column.name), names, 200),
    sourceColumn: column.name,
    ...fieldDefaults(column),
    format: null,
    description: '',
    isHidden: false,
    sortByField: null,
    isMetric: false,
    ordinal: firstOrdinal + index,
    sensitivityLabel: null,
    isKey: column.isKey,
    expression: null,
    ...newStamps(act),
  }));
}

/** A name without what names of the platform cannot have. */
const validName = (name: string) =>
  name
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: names have none
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\ufffd]/g, '_')
    .trim() || 'column';

/** The name, or with a number if it is taken. */
function freeName(wanted: string, taken: Set<string>, maxLength: number): string {
  const short = [...wanted]
    .slice(0, maxLength - 6)
    .join('')
    .slice(0, maxLength - 6);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? short : `${short}_${number}`;
    if (taken.has(folded(name))) continue;
    taken.add(folded(name));
    return name;
  }
}

function syncTables(
  definition: ModelDefinition,
  source: readonly SourceTable[],
  tables: readonly ModelTable[],
  act: Act,
): Imported {
  const sources = new Map(source.map((table) => [sourceKeyOf(table), table]));
  const changes = tables.map((table) => syncTable(definition, table, sources.get(place(table)), act));
  const edit = {
    put: { tables: changes.flatMap(({ table }) => table ?? []), fields: changes.flatMap(({ fields }) => fields) },
  };
  const next = applyEdit(definition, edit);
  const synced = new Set(tables.map(({ id }) => id));
  const missing = [...next.fields.values()].filter((field) => synced.has(field.tableId) && isMissing(next, field));
  const listOf = (fields: readonly ModelField[]): FieldChange[] =>
    fields.slice(0, MAX_LISTED_NAMES).map(({ id, tableId, name }) => ({
      table: next.tables.get(tableId)!.alias,
      field: name,
      fieldId: id,
    }));
  return {
    edit,
    report: {
      tablesAdded: 0,
      fieldsAdded: changes.reduce((sum, { addedCount }) => sum + addedCount, 0),
      fieldsChanged: listOf(changes.flatMap((each) => each.changed)),
      fieldsMissing: listOf(missing),
    },
  };
}

interface TableChange {
  table?: ModelTable;
  fields: ModelField[];
  addedCount: number;
  changed: ModelField[];
}

/**
 * A column that is new in the source becomes a field, unless the steps of the table drop it; one whose field an author
 * has deleted does not.
 */
function syncTable(
  definition: ModelDefinition,
  table: ModelTable,
  source: SourceTable | undefined,
  act: Act,
): TableChange {
  const missing = source === undefined;
  if (!source?.columns) {
    const marked = table.missing === missing ? {} : { table: touched({ ...table, missing }, act) };
    return { ...marked, fields: [], addedCount: 0, changed: [] };
  }
  const siblings = fieldsOf(definition, table.id);
  const columns = source.columns.map(storedColumn);
  const before = new Map((table.columns ?? []).map(({ name, type }) => [name, type]));
  const now = new Map(source.columns.map((column) => [column.name, column]));
  const modelled = new Set(siblings.map(({ sourceColumn }) => sourceColumn));
  const names = new Set(siblings.map(({ name }) => folded(name)));
  const left = columnsAfterSteps(columns, transformsOf(definition, table.id));
  const appeared = source.columns.filter(
    ({ name }) => !before.has(name) && !modelled.has(name) && (left === undefined || left.has(name)),
  );
  const firstOrdinal = (siblings.at(-1)?.ordinal ?? 0) + 1;
  const added = newFields(definition, table, appeared, { names, firstOrdinal }, act);
  const ofColumn = siblings.filter(({ sourceColumn }) => sourceColumn !== null && now.has(sourceColumn));
  const retyped = ofColumn.filter(({ sourceColumn }) => {
    const was = before.get(sourceColumn!);
    return was !== undefined && was !== now.get(sourceColumn!)!.type;
  });
  const returned = table.columns === null ? [] : ofColumn.filter(({ sourceColumn }) => !before.has(sourceColumn!));
  const isSame = !table.missing && JSON.stringify(table.columns) === JSON.stringify(columns);
  return {
    ...(isSame ? {} : { table: touched({ ...table, columns, missing: false }, act) }),
    fields: [...retyped.flatMap((field) => retypedField(field, before, now, act)), ...added],
    addedCount: added.length,
    changed: [...retyped, ...returned],
  };
}

/** A type that an author has chosen stays. */
function retypedField(
  field: ModelField,
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, Column>,
  act: Act,
): ModelField[] {
  const column = field.sourceColumn!;
  const [was, is] = [dataTypeOf(before.get(column)!), dataTypeOf(now.get(column)!.type)];
  if (field.dataType !== was || was === is) return [];
  const isSum = ['sum', 'avg'].includes(field.aggregation) && !['integer', 'decimal', 'number'].includes(is);
  return [touched({ ...field, dataType: is, ...(isSum ? { aggregation: 'count' as const } : {}) }, act)];
}

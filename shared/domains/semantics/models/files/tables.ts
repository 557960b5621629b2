import { TRANSFORM_CONFIGS } from '../../../../data/transforms/index.ts';
import { shapeIssues } from '../../../../platform/validation/shape-issues.ts';
import { fieldsOf, folded } from '../definition/definition.ts';
import { MAX_STEPS } from '../definition/limits.ts';
import type { ModelField, ModelTable, Transform } from '../definition/records.ts';
import { knownColumns } from '../definition/source-tables.ts';
import type { ImportContext } from './context.ts';
import { matchedFields, matchedTables, matchedTransforms } from './match-parts.ts';
import type { FileField, FileTable } from './schema.ts';
import { FIELD_DEFAULTS, fieldDefaults, TABLE_DEFAULTS, TRANSFORM_DEFAULTS } from './views.ts';

/** A calculated field whose expression is still to be read. */
export interface UnreadField {
  pointer: string;
  field: ModelField;
  text: string;
}

export interface ImportedTables {
  tables: ModelTable[];
  fields: ModelField[];
  transforms: Transform[];
  calculated: UnreadField[];
}

/** The tables of the file with their fields and steps. Parts that keep their name keep their id. */
export function importedTables(context: ImportContext): ImportedTables {
  const { tables: wanted = [] } = context.read.file;
  context.reportRepeated(
    wanted,
    ({ alias }) => alias,
    (index) => `/tables/${index}/alias`,
  );
  const current = matchedTables(wanted, context.definition);
  const imported: ImportedTables = { tables: [], fields: [], transforms: [], calculated: [] };
  wanted.forEach((table, index) => {
    const pointer = `/tables/${index}`;
    const made = tableOf(context, table, current[index]);
    imported.tables.push(made);
    addFields(context, imported, { wanted: table.fields ?? [], table: made, pointer: `${pointer}/fields` });
    imported.transforms.push(
      ...transformsFor(context, { wanted: table, table: made, pointer: `${pointer}/transforms` }),
    );
  });
  return imported;
}

function tableOf(context: ImportContext, wanted: FileTable, current: ModelTable | undefined): ModelTable {
  const { fields: _fields, transforms: _transforms, ...members } = { ...TABLE_DEFAULTS, ...wanted };
  const { sourceSchema, sourceTable } = members;
  if (current?.sourceSchema === sourceSchema && current.sourceTable === sourceTable) return { ...current, ...members };
  const known = knownColumns(context.options.source, members);
  const seen = { columns: known ?? null, missing: known === undefined };
  return { ...(current ?? context.fresh('tables')), ...members, ...seen };
}

function addFields(
  context: ImportContext,
  imported: ImportedTables,
  { wanted, table, pointer }: { wanted: readonly FileField[]; table: ModelTable; pointer: string },
): void {
  context.reportRepeated(
    wanted,
    ({ name }) => name,
    (index) => `${pointer}/${index}/name`,
  );
  const current = matchedFields(wanted, context.definition, table.id);
  const ids = wanted.map((_, index) => current[index] ?? { ...context.fresh('fields'), isKey: undefined });
  const idByName = new Map(wanted.map(({ name }, index) => [folded(name), ids[index]!.id]));
  const ordinals = ordinalsOf(context, table, current);
  const keys = keysOf(context, table);
  wanted.forEach((field, index) => {
    const place = `${pointer}/${index}`;
    const defaults = fieldDefaults(field);
    const { expression, sortByField, sourceColumn = defaults.sourceColumn, ...members } = field;
    const sorting =
      sortByField === undefined
        ? null
        : (context.named(idByName, { name: sortByField, pointer: `${place}/sortByField`, what: 'field' }) ?? null);
    const made: ModelField = {
      ...ids[index]!,
      tableId: table.id,
      ...FIELD_DEFAULTS,
      ...defaults,
      ...members,
      sourceColumn,
      expression: null,
      sortByField: sorting,
      ordinal: ordinals[index]!,
      isKey: ids[index]!.isKey ?? keys.has(sourceColumn),
    };
    imported.fields.push(made);
    context.places.set(made.id, place);
    if (expression !== undefined) imported.calculated.push({ pointer: place, field: made, text: expression });
  });
}

/** Fields keep their places while the file only adds some at the end. */
function ordinalsOf(
  { definition }: ImportContext,
  table: ModelTable,
  matched: readonly (ModelField | undefined)[],
): number[] {
  const kept = new Set(matched.filter((field) => field !== undefined));
  const inOrder = fieldsOf(definition, table.id).filter((field) => kept.has(field));
  const isSame = inOrder.every((field, index) => field === matched[index]);
  const last = inOrder.at(-1)?.ordinal ?? 0;
  return matched.map((field, index) => {
    if (!isSame) return index + 1;
    return field ? field.ordinal : last + index + 1 - kept.size;
  });
}

function keysOf({ options }: ImportContext, { sourceSchema, sourceTable }: ModelTable): ReadonlySet<string | null> {
  const found = options.source?.find(({ schema, name }) => schema === sourceSchema && name === sourceTable);
  return new Set(found?.columns?.filter(({ isKey }) => isKey).map(({ name }) => name));
}

function transformsFor(
  context: ImportContext,
  { wanted: { transforms = [] }, table, pointer }: { wanted: FileTable; table: ModelTable; pointer: string },
): Transform[] {
  if (transforms.length > MAX_STEPS) context.report(pointer, 'MAX_ITEMS', `must have at most ${MAX_STEPS} steps`);
  const issues = transforms.flatMap(({ type, config }, index) =>
    shapeIssues(TRANSFORM_CONFIGS[type], config, `/${index}/config`),
  );
  context.reportAll(pointer, issues);
  // Rules of steps need configurations of the right shape.
  if (issues.length > 0) return [];
  const current = matchedTransforms(transforms, context.definition, table.id);
  return transforms.map((step, index) => {
    const identity = current[index] ?? context.fresh('transforms');
    return { ...identity, tableId: table.id, ...TRANSFORM_DEFAULTS, ...step, order: index + 1 };
  });
}

/** The place of a step of a chain in the file. */
export const stepPointer = (index: number, { order }: Transform) => `/tables/${index}/transforms/${order - 1}`;

import { folded, type ModelDefinition, type PartMaps, transformsOf } from './definition.ts';
import type { ModelField, ModelTable, Policy } from './records.ts';

/** A table of a source, as a model or a catalogue names it. */
export interface SourcePlace {
  schema: string;
  table: string;
}

/** A column that only people with the label may read. */
export interface LabelledColumn {
  /** As in the source. */
  column: string;
  label: string;
  field: ModelField;
}

export const placeOfTable = ({ sourceSchema, sourceTable }: ModelTable): SourcePlace => ({
  schema: sourceSchema,
  table: sourceTable,
});

/**
 * Whether two names may mean the same table. Databases differ in how they treat case, and an empty schema stands for
 * any: where in doubt, a table is protected.
 */
export const isSamePlace = (one: SourcePlace, other: SourcePlace): boolean =>
  folded(one.table) === folded(other.table) &&
  (one.schema === '' || other.schema === '' || folded(one.schema) === folded(other.schema));

export const isSameColumn = (one: string, other: string): boolean => folded(one) === folded(other);

/** The source tables whose rows or columns the model restricts, each once and in a stable order. */
export function protectedPlaces(definition: PartMaps): SourcePlace[] {
  const places = new Map<string, SourcePlace>();
  for (const table of definition.tables.values()) {
    const isProtected = policiesOf(definition, table.id).length > 0 || labelsOf(definition, table.id).length > 0;
    const place = placeOfTable(table);
    if (isProtected) places.set(JSON.stringify([place.schema, place.table]), place);
  }
  return [...places].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, place]) => place);
}

/** The tables of the model that read the source table: it may have several aliases. */
export const tablesAt = (definition: ModelDefinition, place: SourcePlace): ModelTable[] =>
  [...definition.tables.values()].filter((table) => isSamePlace(placeOfTable(table), place));

export const policiesOf = ({ policies }: PartMaps, tableId: string): Policy[] =>
  [...policies.values()].filter((policy) => policy.tableId === tableId);

/** The columns of the source that fields of the table give a sensitivity label. */
export function labelsOf(definition: PartMaps, tableId: string): LabelledColumn[] {
  const labelled = LABELLED.get(definition.fields) ?? Map.groupBy(withLabel(definition), (field) => field.tableId);
  LABELLED.set(definition.fields, labelled);
  return (labelled.get(tableId) ?? []).flatMap((field) =>
    columnsOf(definition, field).map((column) => ({ column, label: field.sensitivityLabel!, field })),
  );
}

/** The columns of the source that hidden fields of the table, or fields with a sensitivity label, read. */
export const concealedColumns = (definition: PartMaps, tableId: string): string[] =>
  [...definition.fields.values()]
    .filter((field) => field.tableId === tableId && (field.isHidden || field.sensitivityLabel !== null))
    .flatMap((field) => columnsOf(definition, field));

/** Maps of parts never change, and few fields have labels. */
const LABELLED = new WeakMap<PartMaps['fields'], Map<string, ModelField[]>>();

const withLabel = ({ fields }: PartMaps): ModelField[] =>
  [...fields.values()].filter(({ sensitivityLabel }) => sensitivityLabel !== null);

/** The column that the field names and, where steps have renamed it, the one of the source. */
function columnsOf(definition: PartMaps, { tableId, sourceColumn }: ModelField): string[] {
  if (sourceColumn === null) return [];
  let origin = sourceColumn;
  for (const { type, config, isEnabled } of transformsOf(definition, tableId).toReversed()) {
    if (isEnabled && type === 'rename_column' && isSameColumn(config.to as string, origin))
      origin = config.from as string;
  }
  return [...new Set([sourceColumn, origin])];
}

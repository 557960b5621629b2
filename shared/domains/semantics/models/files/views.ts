import { TRANSFORM_CONFIGS, type TransformType } from '../../../../data/transforms/index.ts';
import { inSchemaOrder } from '../../../../platform/validation/schema-order.ts';
import type { ModelDefinition, PartKind, Parts } from '../definition/definition.ts';
import { fieldsOf, folded, liveMeasures, transformsOf } from '../definition/definition.ts';
import { fieldName } from '../definition/field-name.ts';
import type {
  Hierarchy,
  Measure,
  ModelField,
  ModelTable,
  Policy,
  Relationship,
  Rollup,
  Transform,
} from '../definition/records.ts';
import { FiscalCalendar, MeasureFormat, ModelParameter } from '../definition/records.ts';
import { fieldText, measureText, policyText } from '../expressions/expressions.ts';
import { defaultAggregation } from '../parts/fields.ts';
import type {
  FileField,
  FileHierarchy,
  FileMeasure,
  FilePolicy,
  FileRelationship,
  FileRollup,
  FileTable,
  FileTransform,
  ModelFile,
} from './schema.ts';

/** What a file says where a part has nothing else: such members are left out. */
export const TABLE_DEFAULTS = { sourceSchema: '', description: '' };
export const FIELD_DEFAULTS = {
  format: null,
  description: '',
  isHidden: false,
  semanticType: null,
  isMetric: false,
  sensitivityLabel: null,
};
export const RELATIONSHIP_DEFAULTS = {
  joinType: 'left',
  cardinality: '1:N',
  isActive: true,
  aiDetected: false,
} as const;
export const MEASURE_DEFAULTS = { format: null, folder: '', description: '', isHidden: false };
export const TRANSFORM_DEFAULTS = { label: '', isEnabled: true };

/** The defaults of a field that follow from its other members. */
export const fieldDefaults = ({ name, fieldType, dataType }: Pick<ModelField, 'name' | 'fieldType' | 'dataType'>) => ({
  sourceColumn: fieldType === 'calculated' ? null : name,
  aggregation: defaultAggregation({ fieldType, dataType }),
});

/** The members that are not the default. */
function without<T extends object>(part: T, defaults: Partial<T>): T {
  return Object.fromEntries(
    Object.entries(part).filter(([name, value]) => value !== undefined && value !== defaults[name as keyof T]),
  ) as T;
}

const aliasOf = ({ tables }: ModelDefinition, id: string) => tables.get(id)!.alias;

function tableView({ alias, sourceSchema, sourceTable, description }: ModelTable): FileTable {
  return without({ alias, sourceSchema, sourceTable, description }, TABLE_DEFAULTS);
}

function fieldView(definition: ModelDefinition, field: ModelField): FileField {
  const { name, fieldType, dataType, sourceColumn, aggregation, sortByField } = field;
  const { format, description, isHidden, semanticType, isMetric, sensitivityLabel } = field;
  const view = {
    name,
    fieldType,
    dataType,
    sourceColumn,
    ...(field.expression ? { expression: fieldText(definition, field)! } : {}),
    aggregation,
    format,
    description,
    isHidden,
    ...(sortByField === null ? {} : { sortByField: definition.fields.get(sortByField)!.name }),
    semanticType,
    isMetric,
    sensitivityLabel,
  };
  return without(view, { ...FIELD_DEFAULTS, ...fieldDefaults(field) });
}

export function transformView({
  type,
  label,
  isEnabled,
  config,
}: Pick<Transform, 'type' | 'label' | 'isEnabled' | 'config'>): FileTransform {
  const ordered = inSchemaOrder(TRANSFORM_CONFIGS[type as TransformType], config);
  return without({ type: type as TransformType, label, isEnabled, config: ordered }, TRANSFORM_DEFAULTS);
}

function relationshipView(definition: ModelDefinition, relationship: Relationship): FileRelationship {
  const { fromFieldId, toFieldId, joinType, cardinality, isActive, aiDetected } = relationship;
  const ends = { from: fieldName(definition, fromFieldId), to: fieldName(definition, toFieldId) };
  return without({ ...ends, joinType, cardinality, isActive, aiDetected }, RELATIONSHIP_DEFAULTS);
}

function hierarchyView(definition: ModelDefinition, { name, tableId, levels }: Hierarchy): FileHierarchy {
  return {
    name,
    ...(tableId === null ? {} : { table: aliasOf(definition, tableId) }),
    levels: levels.map(({ fieldId, label }) => ({
      field: fieldName(definition, fieldId),
      ...(label === definition.fields.get(fieldId)!.name ? {} : { label }),
    })),
  };
}

function rollupView(definition: ModelDefinition, { name, dimensions, measures }: Rollup): FileRollup {
  const shownDimensions = dimensions.map(({ fieldId, grain }) => ({
    field: fieldName(definition, fieldId),
    ...(grain ? { grain } : {}),
  }));
  return {
    name,
    ...withoutEmpty({ dimensions: shownDimensions }),
    measures: measures.map(({ measureId, fieldId, aggregation }) => ({
      ...(measureId === undefined ? {} : { measure: definition.measures.get(measureId)!.name }),
      ...(fieldId === undefined ? {} : { field: fieldName(definition, fieldId) }),
      ...(aggregation ? { aggregation } : {}),
    })),
  };
}

function measureView(definition: ModelDefinition, measure: Measure): FileMeasure {
  const { name, dataType, folder, description, isHidden } = measure;
  const format = measure.format && inSchemaOrder(MeasureFormat, measure.format);
  const expression = measureText(definition, measure);
  return without({ name, expression, dataType, format, folder, description, isHidden }, MEASURE_DEFAULTS);
}

function policyView(definition: ModelDefinition, policy: Policy): FilePolicy {
  const { name, tableId, appliesTo } = policy;
  return {
    name,
    table: aliasOf(definition, tableId),
    filterExpression: policyText(definition, policy),
    appliesTo: appliesTo.map(({ type, id }) => (id === undefined ? { type } : { type, id })),
  };
}

interface Views {
  tables: FileTable;
  fields: FileField;
  relationships: FileRelationship;
  hierarchies: FileHierarchy;
  policies: FilePolicy;
  measures: FileMeasure;
  rollups: FileRollup;
  transforms: FileTransform;
}

const VIEWS: { [K in PartKind]: (definition: ModelDefinition, part: Parts[K]) => Views[K] } = {
  tables: (_definition, table) => tableView(table),
  fields: fieldView,
  relationships: relationshipView,
  hierarchies: hierarchyView,
  policies: policyView,
  measures: measureView,
  rollups: rollupView,
  transforms: (_definition, step) => transformView(step),
};

/** A part as a file has it, without the parts below it. */
export const viewOf = <K extends PartKind>(definition: ModelDefinition, kind: K, part: Parts[K]): Views[K] =>
  VIEWS[kind](definition, part);

/** The name of a part in reports. */
export function partName<K extends PartKind>(definition: ModelDefinition, kind: K, part: Parts[K]): string {
  if (kind === 'tables') return (part as ModelTable).alias;
  if (kind === 'fields') return fieldName(definition, part.id);
  if (kind === 'relationships') {
    const { fromFieldId, toFieldId } = part as Relationship;
    return `${fieldName(definition, fromFieldId)} -> ${fieldName(definition, toFieldId)}`;
  }
  if (kind === 'transforms') {
    const { tableId, order, type } = part as Transform;
    return `${aliasOf(definition, tableId)} step ${order} (${type})`;
  }
  return (part as Measure | Hierarchy | Rollup | Policy).name;
}

/** The whole model in an order that depends on names alone; the policies only for those who may see them. */
export function fileOf(definition: ModelDefinition, { withPolicies }: { withPolicies: boolean }): ModelFile {
  const { name, description, calendar, parameters = [] } = definition.model;
  const list = <K extends PartKind>(kind: K, parts: Iterable<Parts[K]>) =>
    sorted([...parts].map((part) => [partName(definition, kind, part), viewOf(definition, kind, part)] as const));
  const tables = [...definition.tables.values()].map(
    (table) => [table.alias, tableWithParts(definition, table)] as const,
  );
  const file = {
    name,
    ...(description === '' ? {} : { description }),
    ...(calendar ? { calendar: inSchemaOrder(FiscalCalendar, calendar) as typeof calendar } : {}),
    parameters: parameters.map((each) => inSchemaOrder(ModelParameter, each)),
    tables: sorted(tables),
    relationships: list('relationships', definition.relationships.values()),
    hierarchies: list('hierarchies', definition.hierarchies.values()),
    measures: list('measures', liveMeasures(definition)),
    rollups: list('rollups', definition.rollups.values()),
    policies: withPolicies ? list('policies', definition.policies.values()) : [],
  };
  return { version: 1, ...withoutEmpty(file) };
}

function tableWithParts(definition: ModelDefinition, table: ModelTable): FileTable {
  const transforms = transformsOf(definition, table.id).map(transformView);
  const fields = fieldsOf(definition, table.id).map((field) => fieldView(definition, field));
  return { ...tableView(table), ...withoutEmpty({ transforms, fields }) };
}

const withoutEmpty = <T extends object>(lists: T): T =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => !Array.isArray(list) || list.length > 0)) as T;

function sorted<T>(named: (readonly [string, T])[]): T[] {
  const keyed = named.map(([name, part]) => [folded(name), part] as const);
  return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part);
}

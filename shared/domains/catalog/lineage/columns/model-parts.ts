import { referencesOf } from '../../../../data/expressions/index.ts';
import { tableRelation } from '../../../../data/transforms/index.ts';
import {
  DATASETS,
  fieldsOf,
  liveMeasures,
  type ModelDefinition,
  type ModelTable,
  transformsOf,
} from '../../../semantics/models/index.ts';
import type { Sight } from '../kinds.ts';
import type { LineageRef } from '../types.ts';
import { type ObjectPart, type ObjectParts, type PartRef, sourceColumn } from './types.ts';

/** The fields and measures of a model. */
export async function modelParts(sight: Sight, definition: ModelDefinition): Promise<ObjectParts> {
  const { id } = definition.model;
  const ofModel = ({ fields, measures }: ReturnType<typeof referencesOf>): PartRef[] =>
    [...fields, ...measures].map((part) => ({ type: 'model', id, part }));
  const tables = await Promise.all(
    [...definition.tables.values()].map((table) => tableParts(sight, definition, table)),
  );
  const measures = liveMeasures(definition).map(
    (measure): ObjectPart => ({
      id: measure.id,
      name: measure.name,
      inputs: ofModel(referencesOf(measure.expression)),
    }),
  );
  const fields = tables.flatMap(({ table, columns }) =>
    fieldsOf(definition, table.id).map((field): ObjectPart => {
      const { sourceColumn: column, expression } = field;
      return {
        id: field.id,
        name: `${table.alias}.${field.name}`,
        inputs: expression ? ofModel(referencesOf(expression)) : column === null ? [] : (columns(column) ?? []),
      };
    }),
  );
  return {
    parts: [...fields, ...measures],
    deciding: tables.flatMap(({ deciding }) => deciding),
    unknown: tables.flatMap(({ unknown }) => unknown),
  };
}

interface TableParts {
  table: ModelTable;
  /** What a column after the transform steps is computed from; undefined if there is none of this name. */
  columns(name: string): readonly PartRef[] | undefined;
  deciding: readonly PartRef[];
  unknown: readonly LineageRef[];
}

async function tableParts(sight: Sight, definition: ModelDefinition, table: ModelTable): Promise<TableParts> {
  const { sourceTable: name, columns } = table;
  const origin = await originOf(sight, definition, table);
  const nothing = { table, columns: () => undefined, deciding: [], unknown: [] };
  if (!origin) return nothing;
  const { object, partOf } = origin;
  const steps = transformsOf(definition, table.id).filter(({ isEnabled }) => isEnabled);
  if (steps.length === 0) return { ...nothing, columns: (column) => [partOf(column)] };
  const relation = tableRelation({
    table: { schema: '', name, columns: columns?.map((column) => ({ name: column.name, type: column.type })) ?? null },
    conditions: [],
    steps,
    dialect: 'duckdb',
    params: [],
    now: sight.now,
    timezone: 'UTC',
  });
  const analysis =
    'sql' in relation && columns
      ? await sight.parts.analyse({
          sql: `SELECT * FROM ${relation.sql}`,
          tables: [{ name, columns }],
          mayFail: true,
        })
      : null;
  if (!analysis) return { ...nothing, unknown: [object] };
  const outputs = new Map(analysis.lineage.columns.map((column) => [column.name.toLowerCase(), column.inputs]));
  const isComplete = [...outputs.values()].every((inputs) => inputs !== null);
  return {
    table,
    columns: (column) => outputs.get(column.toLowerCase())?.map((input) => partOf(input.column)),
    deciding: analysis.lineage.indirect.map((input) => partOf(input.column)),
    unknown: isComplete ? [] : [object],
  };
}

async function originOf({ parts }: Sight, { model }: ModelDefinition, { sourceSchema, sourceTable }: ModelTable) {
  if (model.sourceId !== DATASETS) {
    const object: LineageRef = { type: 'source', id: model.sourceId };
    return {
      object,
      partOf: (column: string): PartRef => ({ ...object, part: sourceColumn([sourceSchema, sourceTable], column) }),
    };
  }
  const dataset = await parts.datasetNamed(sourceTable);
  if (!dataset) return undefined;
  const object: LineageRef = { type: 'dataset', id: dataset.id };
  return { object, partOf: (part: string): PartRef => ({ ...object, part }) };
}

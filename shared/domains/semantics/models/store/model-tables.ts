import type { ModelDefinition } from '../definition/definition.ts';

/** A table as its source knows it. */
export interface ModelTablePlace {
  sourceId: string;
  schemaName: string;
  tableName: string;
}

/** The tables that a model reads, each once. */
export function modelTables({ model, tables }: Pick<ModelDefinition, 'model' | 'tables'>): ModelTablePlace[] {
  const places = [...tables.values()].map(({ sourceSchema: schemaName, sourceTable: tableName }) => ({
    sourceId: model.sourceId,
    schemaName,
    tableName,
  }));
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

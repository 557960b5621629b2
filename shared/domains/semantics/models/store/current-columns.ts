import { applyEdit, type ModelDefinition } from '../definition/definition.ts';
import { knownColumns, type ReadSourceTables } from '../definition/source-tables.ts';
import type { DefinitionReader } from './definitions.ts';

/**
 * Definitions whose tables have the columns of the source as it is now, and not as the model was last brought up to
 * date. Each is read once.
 */
export function withCurrentColumns(definitions: DefinitionReader, readTables: ReadSourceTables): DefinitionReader {
  const known = new Map<string, Promise<ModelDefinition>>();
  const current = async (place: Parameters<DefinitionReader['read']>[0]): Promise<ModelDefinition> => {
    const definition = await definitions.read(place);
    const found = await readTables(definition.model);
    if (!found) return definition;
    const tables = [...definition.tables.values()].map((table) => {
      const columns = knownColumns(found, table);
      return columns === undefined ? { ...table, missing: true } : { ...table, columns: columns ?? table.columns };
    });
    return applyEdit(definition, { put: { tables } });
  };
  return {
    ...definitions,
    read: (place) => {
      const key = JSON.stringify([place.workspaceId, place.modelId]);
      const reading = known.get(key) ?? current(place);
      known.set(key, reading);
      return reading;
    },
  };
}

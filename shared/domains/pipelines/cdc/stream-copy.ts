import { type Copy, copyDefinition } from '../../semantics/row-rights/index.ts';
import { partsOf, type StoredStream } from './record.ts';

/**
 * A stream as a copy of its tables. They are no views, but one that the catalogue does not list may be a partition of
 * another.
 */
export function streamCopy({
  workspaceId,
  id,
  sourceId,
  tables,
  createdBy,
}: Pick<StoredStream, 'workspaceId' | 'id' | 'sourceId' | 'tables' | 'createdBy'>): Copy {
  const names = tables.map(({ name }) => name).sort();
  return {
    place: { workspaceId, kind: 'cdc_stream', id, definition: copyDefinition([sourceId, names]) },
    createdBy: async () => createdBy,
    reads: { sources: [{ sourceId, tables: names.map(partsOf) }], datasets: [] },
  };
}

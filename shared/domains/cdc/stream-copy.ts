import { type Copy, copyDefinition } from '../row-rights/index.ts';
import { partsOf, type StoredStream } from './record.ts';

/** A stream as a copy of its tables, which store their rows themselves: Postgres has no log of views. */
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
    reads: { sources: [{ sourceId, tables: names.map(partsOf), arePlain: true }], datasets: [] },
  };
}

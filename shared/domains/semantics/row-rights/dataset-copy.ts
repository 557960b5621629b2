import type { Dataset } from '../../warehouse/datasets/index.ts';
import { type Copy, copyDefinition } from './copies.ts';
import { readsOfDatasetSource } from './reads.ts';

/** A dataset as a copy of what its source reads. */
export const datasetCopy = ({
  workspaceId,
  id,
  source,
  createdBy,
}: Pick<Dataset, 'workspaceId' | 'id' | 'source' | 'createdBy'>): Copy => ({
  place: { workspaceId, kind: 'dataset', id, definition: copyDefinition(source) },
  createdBy: async () => createdBy,
  reads: readsOfDatasetSource(source),
});

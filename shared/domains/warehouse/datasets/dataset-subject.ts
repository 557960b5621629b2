import { memberSubject } from '../../tenancy/grants/index.ts';
import { datasetRepository } from './repository.ts';

export const DATASET_SUBJECT = memberSubject({
  type: 'dataset',
  read: { permission: 'datasets:read', product: 'warehouse' },
  write: 'datasets:write',
  source: (id) => ({ kind: 'dataset', id }),
  key: (table, workspaceId, id) => datasetRepository(table).key(workspaceId, id),
  async get(table, workspaceId, id) {
    const dataset = await datasetRepository(table).get(workspaceId, id);
    return dataset && { id, name: dataset.name, ownerId: dataset.createdBy };
  },
});

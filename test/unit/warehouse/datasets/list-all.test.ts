import { expect, it } from 'vitest';
import { listAllDatasets } from '../../../../shared/domains/warehouse/datasets/list-all.ts';
import { emptyDataset } from '../../../../shared/domains/warehouse/datasets/record.ts';
import { datasetRepository } from '../../../../shared/domains/warehouse/datasets/repository.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const local = useLocalTable();

it('lists every dataset of a workspace once, and no other', async () => {
  const table = local.open();
  const datasets = datasetRepository(table);
  const [workspaceId, other] = [newId(), newId()];
  const made: string[] = [];
  for (let index = 0; index < 401; index += 1) {
    const at = new Date(Date.UTC(2026, 0, 1, 0, 0, index));
    const dataset = emptyDataset({ id: newId(at), workspaceId, name: `d${index}`, createdBy: null, at });
    made.push((await datasets.create(dataset)).id);
  }
  await datasets.create(emptyDataset({ id: newId(), workspaceId: other, name: 'd', createdBy: null, at: new Date() }));
  expect((await listAllDatasets(table, workspaceId)).map(({ id }) => id)).toEqual(made.reverse());
});

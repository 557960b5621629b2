import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { LocalCloud } from '../../../infra/local/cloud.ts';
import { emptyDataset } from '../../../shared/datasets/record.ts';
import { datasetRepository } from '../../../shared/datasets/repository.ts';
import { mentionedDatasets } from '../../../shared/query/dataset-tables.ts';
import { newId } from '../../../shared/storage/ids.ts';
import { createLocalTable, openCrashingTable } from '../../support/local-table.ts';

it('costs two reads to find what a statement mentions among many datasets, in one order', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mentioned-'));
  const cloud = await LocalCloud.open({ dataDir: folder, port: 0 });
  onTestFinished(async () => {
    await cloud.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await createLocalTable(cloud.endpoint);
  const table = openCrashingTable(cloud.endpoint, () => undefined);
  const datasets = datasetRepository(table);
  const [workspaceId, other] = [newId(), newId()];
  const make = (workspace: string, name: string, index: number) => {
    const at = new Date(Date.UTC(2026, 0, 1, 0, 0, index));
    return datasets.create(emptyDataset({ id: newId(at), workspaceId: workspace, name, createdBy: null, at }));
  };
  const named = ['Orders', 'the "odd" one', 'Ähren'];
  for (const [index, name] of named.entries()) await make(workspaceId, name, index);
  for (let index = 3; index < 150; index += 1) await make(workspaceId, `d${index}`, index);
  await make(other, 'customers', 0);

  const reads: string[] = [];
  table.db.middlewareStack.add(
    (next, details) => (args) => {
      reads.push(details.commandName ?? '');
      return next(args);
    },
    { step: 'initialize' },
  );
  const sql = `SELECT d7.x FROM ORDERS o JOIN "The ""odd"" one" USING (id) JOIN ähren JOIN customers -- d8`;
  const found = await mentionedDatasets({ datasets }, { workspaceId, sql });
  expect(found.map(({ name }) => name)).toEqual([...named, 'd7']);
  expect(reads).toEqual(['BatchGetItemCommand', 'BatchGetItemCommand']);
});

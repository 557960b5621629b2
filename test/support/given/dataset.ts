import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine } from '../../../shared/data/duckdb/engine.ts';
import type { DataFile } from '../../../shared/data/tables/data-file.ts';
import { commitLoad, notLoadedItem } from '../../../shared/domains/warehouse/datasets/commit.ts';
import { type Dataset, emptyDataset } from '../../../shared/domains/warehouse/datasets/record.ts';
import { datasetRepository } from '../../../shared/domains/warehouse/datasets/repository.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import type { Api } from '../api.ts';
import { dataBucket } from './bucket.ts';

/**
 * A dataset with the rows of a statement, made as a load makes it: Parquet files in the bucket and a committed version.
 * Several statements make several files; a dataset that exists gets its next version.
 * The tick of the platform does not announce a version before its time `at`.
 */
export async function givenDataset(
  api: Api,
  wanted: { name: string; sql: string | string[]; at?: Date },
): Promise<Dataset> {
  const { table, workspaceId } = api;
  const datasets = datasetRepository(table);
  const { at = new Date() } = wanted;
  const found = await datasets.find(workspaceId, wanted.name);
  const dataset = found ?? emptyDataset({ id: newId(at), workspaceId, name: wanted.name, createdBy: null, at });
  const { files, columns } = await writeFiles(api, dataset.id, [wanted.sql].flat());
  const { name: bucket, s3 } = await dataBucket(api.endpoint);
  const outcome = await commitLoad(table, objectStore(bucket, s3), {
    dataset,
    isNew: found === undefined,
    loadKey: newId(at),
    mode: 'overwrite',
    kept: [],
    added: files,
    columns,
    rowsLoaded: files.reduce((sum, file) => sum + file.rows, 0),
    bytesLoaded: files.reduce((sum, file) => sum + file.sizeBytes, 0),
    origin: { kind: 'pipeline', pipelineId: newId(at), runId: newId(at), stepId: 'load' },
    at,
    fence: notLoadedItem(table, workspaceId, newId(at)),
  });
  if (outcome.kind !== 'committed') throw new Error(`the dataset ${wanted.name} was not made: ${outcome.kind}`);
  return (await datasets.get(workspaceId, dataset.id))!;
}

/** Files without rows are left out, as a load does: the dataset is then empty and keeps its columns. */
async function writeFiles(api: Api, datasetId: string, statements: string[]) {
  const { name, s3 } = await dataBucket(api.endpoint);
  const objects = objectStore(name, s3);
  const folder = await mkdtemp(join(tmpdir(), 'given-dataset-'));
  const engine = await openEngine({ memoryLimitMb: 512, threads: 2, tempDir: folder });
  try {
    const files: DataFile[] = [];
    let columns: Dataset['columns'] = [];
    for (const sql of statements) {
      const path = join(folder, 'part.parquet');
      const written = await engine.copyToParquet(sql, { path });
      columns = written.columns;
      if (written.rows === 0) continue;
      const key = `W/${api.workspaceId}/datasets/${datasetId}/${newId()}.parquet`;
      await objects.upload(key, path);
      files.push({ key, sizeBytes: written.bytes, rows: written.rows });
    }
    return { files, columns };
  } finally {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  }
}

import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { duckdbAlone, STEP_MEMORY_MB, writeParquet } from './duckdb-alone.ts';
import type { Platform } from './platform.ts';

/** Makes a Parquet file of a statement's rows, uploads it and loads it into a dataset. Answers the dataset's id. */
export async function loadDataset(platform: Platform, name: string, select: string, folder: string): Promise<string> {
  const path = join(folder, `${name}.parquet`);
  await duckdbAlone({ memoryMb: STEP_MEMORY_MB, statements: [writeParquet(select, path)] });
  const sourceId = await platform.fileSource(name, { 'rows.parquet': path });
  await platform.run(await platform.newPipeline(`Load ${name}`, importDag(sourceId, 'rows.parquet', name)));
  return datasetId(platform, name);
}

/** Reads a file of a source into a dataset, in the place of what it held. */
export function importDag(sourceId: string, path: string, dataset: string) {
  return {
    version: 1,
    steps: [
      { id: 'read', type: 'extract', config: { sourceId, object: { path } } },
      {
        id: 'loaded',
        type: 'load',
        dependsOn: ['read'],
        config: { input: 'read', target: { kind: 'dataset', name: dataset }, mode: 'overwrite' },
      },
    ],
  };
}

async function datasetId(platform: Platform, name: string): Promise<string> {
  const { items } = await platform.call<{ items: { id: string; name: string }[] }>('GET', '/api/datasets?limit=100');
  const found = items.find((dataset) => dataset.name === name);
  if (!found) throw new Error(`there is no dataset ${name}`);
  return found.id;
}

/** Copies the very files of a dataset to a folder, for readers without the platform. */
export async function copyFiles(platform: Platform, datasetId: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { DATA_BUCKET } = await platform.variablesOf('query');
  const s3 = new S3Client(platform.awsClient);
  const place = { Bucket: DATA_BUCKET, Prefix: `W/${platform.workspaceId}/datasets/${datasetId}/` };
  try {
    let part = 0;
    for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, place)) {
      for (const { Key } of Contents) {
        if (!Key?.endsWith('.parquet')) continue;
        const { Body } = await s3.send(new GetObjectCommand({ Bucket: DATA_BUCKET, Key }));
        await pipeline(Body as Readable, createWriteStream(join(folder, `${part}.parquet`)));
        part += 1;
      }
    }
    if (part === 0) throw new Error(`the dataset ${datasetId} has no files`);
  } finally {
    s3.destroy();
  }
}

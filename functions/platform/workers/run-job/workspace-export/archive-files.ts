import { fileBaseName, uniqueNames } from '../../../../../shared/data/documents/file-names.ts';
import type { ZipEntry } from '../../../../../shared/data/documents/zip-file.ts';
import {
  type DefinitionReader,
  definitionReader,
  type ModelRecord,
  writeModelFile,
} from '../../../../../shared/domains/semantics/models/index.ts';
import { readLog } from '../../../../../shared/domains/tenancy/audit/index.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import { everyRecord } from '../../../../../shared/platform/storage/every-record.ts';
import { DEFINITIONS, type Definitions } from './definitions.ts';
import type { ExportedDataset, LeftOut } from './exported-datasets.ts';

/** What an archive is made of. */
export interface ArchiveSource extends Definitions {
  companyId: string;
  datasets: readonly ExportedDataset[];
  /** Receives what turns out not to fit. */
  leftOut: LeftOut[];
}

/** How many entries a file has, by its path; complete once the file is written. */
export type Counts = Record<string, number>;

/** The files of the archive one after the other, each read when it is its turn. */
export async function* archiveFiles(source: ArchiveSource, counts: Counts): AsyncGenerator<ZipEntry> {
  for (const [kind, read] of Object.entries(DEFINITIONS)) {
    const path = `definitions/${kind}.json`;
    yield { path, content: () => jsonArray(counted(counts, path, read(source))) };
  }
  yield* modelFiles(source, counts);
  const names = uniqueNames(source.datasets.map(({ dataset }) => fileBaseName(dataset.name, 'Dataset')));
  for (const [index, { files }] of source.datasets.entries()) {
    for (const [part, { key, rows }] of files.entries()) {
      const path = `datasets/${names[index]}/part-${String(part + 1).padStart(5, '0')}.parquet`;
      counts[path] = rows;
      yield { path, isCompressed: true, content: () => objectBytes(source, key) };
    }
  }
  yield { path: 'audit-log.ndjson', content: () => lines(counted(counts, 'audit-log.ndjson', auditLog(source))) };
}

/** The same files as `GET /api/models/{id}/file`, which can be imported. */
async function* modelFiles({ table, workspaceId, leftOut }: ArchiveSource, counts: Counts): AsyncGenerator<ZipEntry> {
  const definitions = definitionReader(table);
  const models = await Array.fromAsync(everyRecord<ModelRecord>(table, workspaceId, 'model'), ({ id, name }) => ({
    id,
    name,
  }));
  const names = uniqueNames(models.map(({ name }) => fileBaseName(name, 'Model')));
  for (const [index, { id, name }] of models.entries()) {
    const path = `models/${names[index]}.yaml`;
    const text = await modelText(definitions, { workspaceId, modelId: id }).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      leftOut.push({ kind: 'model', id, name, reason: error.message });
    });
    if (text === undefined) continue;
    counts[path] = 1;
    yield { path, content: () => [Buffer.from(text)] };
  }
}

/** Throws `MODEL_TOO_LARGE`, or `MODEL_NOT_FOUND` if the model was deleted meanwhile. */
async function modelText(definitions: DefinitionReader, place: { workspaceId: string; modelId: string }) {
  return writeModelFile(await definitions.read(place), { withPolicies: true });
}

async function* objectBytes({ objects }: ArchiveSource, key: string): AsyncGenerator<Uint8Array> {
  yield* await objects.readStream(key);
}

const ENTRIES_AT_ONCE = 1000;

/** The oldest entries come last, as in the API. */
async function* auditLog({ table, companyId, workspaceId }: ArchiveSource): AsyncGenerator<object> {
  let after: string | undefined;
  do {
    const part = { limit: ENTRIES_AT_ONCE, maxRead: ENTRIES_AT_ONCE, after };
    const { items, last } = await readLog(table, { companyId, workspaceId }, {}, part);
    yield* items;
    after = last;
  } while (after !== undefined);
}

async function* counted<T>(counts: Counts, path: string, records: AsyncIterable<T>): AsyncGenerator<T> {
  counts[path] = 0;
  for await (const record of records) {
    counts[path] += 1;
    yield record;
  }
}

async function* jsonArray(records: AsyncIterable<object>): AsyncGenerator<Uint8Array> {
  let before = '[\n';
  for await (const record of records) {
    yield Buffer.from(`${before}${JSON.stringify(record)}`);
    before = ',\n';
  }
  yield Buffer.from(before === '[\n' ? '[]\n' : '\n]\n');
}

async function* lines(records: AsyncIterable<object>): AsyncGenerator<Uint8Array> {
  for await (const record of records) yield Buffer.from(`${JSON.stringify(record)}\n`);
}

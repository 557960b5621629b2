import { link, rm } from 'node:fs/promises';
import { writeNoRows } from '../../../../shared/data/connectors/extract/file-extract.ts';
import { boundaryPath } from '../../../../shared/data/connectors/extract/incremental.ts';
import { extractSource, type SourceObject } from '../../../../shared/data/connectors/extract-source.ts';
import type { ExtractResult } from '../../../../shared/data/connectors/rows/text-rows.ts';
import { isStoredType } from '../../../../shared/data/duckdb/storage-types.ts';
import { type ColumnChange, changeSentence, rejectEmptied } from '../../../../shared/data/files/changed-values.ts';
import { checkSignature, NoRecords, rejectTooWide } from '../../../../shared/data/files/file-format.ts';
import { formatOf } from '../../../../shared/data/files/format-of.ts';
import { roundedInstants } from '../../../../shared/data/files/parquet-source.ts';
import { bindTemplates } from '../../../../shared/data/sql/templates.ts';
import {
  type DatasetConfig,
  type ExtractConfig,
  fillTemplate,
  readsArrivedFiles,
  readsDataset,
  readsStream,
  type StreamConfig,
} from '../../../../shared/domains/pipelines/definition/index.ts';
import type { StepResult } from '../../../../shared/domains/pipelines/runs/index.ts';
import type { StepOutput } from '../../../../shared/domains/pipelines/store/index.ts';
import {
  dataSourceRepository,
  secretTexts,
  unseal,
  uploadKey,
} from '../../../../shared/domains/warehouse/sources/index.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import { readArrivedFiles } from './arrived-files.ts';
import { type Attempt, StepFailure } from './attempt.ts';
import { extractDataset } from './extract-dataset.ts';
import { compareWithLast, lastColumns } from './extract-schema.ts';
import { extractStream } from './extract-stream.ts';
import { openOptions } from './load-target.ts';
import { scratchFile, storeRows, storeStatement, uploadWhileWritten } from './output.ts';
import { rejectCopy } from './reject-copy.ts';
import { continuationOf, outputWatermark } from './watermark.ts';

/** Reads a file, an endpoint, a table or a query of a data source into Parquet. Its secrets are masked in the log. */
export async function extract(attempt: Attempt): Promise<StepResult> {
  const { worker, run } = attempt;
  const config = attempt.step.config as unknown as ExtractConfig | StreamConfig | DatasetConfig;
  await rejectCopy(attempt);
  if (readsStream(config)) return extractStream(attempt, config);
  if (readsDataset(config)) return extractDataset(attempt, config);
  const source = await dataSourceRepository(worker.context.table).get(run.workspaceId, config.sourceId);
  if (!source) throw new StepFailure('NOT_FOUND', 'The data source of the step was deleted.');
  const object = objectOf(attempt, config);
  const start = await continuationOf(attempt, config.incremental);
  const cursor = start?.cursor;
  const uploads = uploadsOf(attempt, config.sourceId);
  const arrived = readsArrivedFiles(config.object);
  if (!arrived && source.type === 'file' && 'path' in object && !config.columns && !config.filter && !cursor) {
    const format = object.format ?? formatOf(object.path)?.format;
    if (format === 'parquet') return copyParquet(attempt, await uploads.find(object.path));
  }
  const settings = await unseal(worker.secrets, source);
  for (const text of secretTexts(settings)) attempt.hide(text);
  attempt.log('info', `Reading from ${source.name} (${source.type}).`);
  const place = {
    engine: attempt.engine,
    options: openOptions(attempt),
  };
  const request = {
    signal: attempt.signal,
    ...(config.columns ? { columns: config.columns } : {}),
    ...filterOf(attempt, config, object),
    ...(cursor ? { cursor } : {}),
  };
  const read = (of: SourceObject, out: string, upload = uploads.fetch): Promise<ExtractResult> =>
    extractSource({ ...place, upload }, settings, { ...request, object: of }, out).catch(async (error) => {
      const columns = error instanceof NoRecords && (await lastColumns(attempt));
      if (!columns) throw error;
      attempt.log('info', 'The source returned no records.');
      return { ...(await writeNoRows(attempt.engine, columns, out)), changes: [] };
    });
  const { trigger } = attempt.dag;
  const isOwn = trigger?.kind === 'file_arrival' && trigger.sourceId === config.sourceId;
  const out = scratchFile(attempt);
  const uploading = uploadWhileWritten(attempt, out);
  try {
    const written = arrived
      ? await readArrivedFiles(
          attempt,
          ({ path, version }, file) =>
            read({ ...object, path }, file, () => uploads.fetch(path, isOwn ? version : undefined)),
          out,
        )
      : await read(object, out);
    reportChanges(attempt, written.changes);
    // The new rows of an increment may lack values that the column has in others.
    if (cursor?.from === undefined) rejectEmptied(written.changes, config.acceptNullColumns);
    if (written.rejected) {
      const { rows, firstLine } = written.rejected;
      attempt.log(
        'warn',
        `${rows} rows with more or fewer values than columns are left out, the first in line ${firstLine}.`,
      );
    }
    const { rows, ...found } = await compareWithLast(attempt, written, () => attempt.engine.attach('read', [out]));
    const watermark = await outputWatermark(attempt, start, written.watermark);
    const output = await storeRows(attempt, out, written, rows, uploading);
    return { ...result({ ...output, ...watermark }), ...found };
  } finally {
    await uploading.abandon();
    // A failure before the boundary is stored leaves its file behind.
    await rm(boundaryPath(out), { force: true });
  }
}

function reportChanges(attempt: Attempt, changes: readonly ColumnChange[]): void {
  for (const change of changes) attempt.log('warn', changeSentence(change));
}

const result = (output: StepOutput): StepResult => ({
  output,
  rowsIn: 0,
  rowsOut: output.rows,
  bytesOut: output.bytes,
});

function objectOf(attempt: Attempt, { object }: ExtractConfig): SourceObject {
  if ('path' in object) return { ...object, path: fillTemplate(object.path, attempt.values) };
  const decimals = object.decimalsAs === undefined ? {} : { decimalsAs: object.decimalsAs };
  if ('query' in object) {
    const bound = bindTemplates(object.query, attempt.values);
    return { ...decimals, query: bound.sql, params: bound.params };
  }
  return {
    ...decimals,
    ...(object.schema === undefined ? {} : { schema: fillTemplate(object.schema, attempt.values) }),
    table: fillTemplate(object.table, attempt.values),
  };
}

function filterOf({ values }: Attempt, { filter }: ExtractConfig, object: SourceObject) {
  if (!filter) return {};
  const before = 'query' in object ? (object.params ?? []).length : 0;
  const { sql, params } = bindTemplates(filter, values, before + 1);
  return { filter: sql, filterParams: params };
}

interface UploadedFile {
  key: string;
  etag: string;
  sizeBytes: number;
  versionId?: string;
}

/** Reads files of a `file` source: the current state, or a given version. */
function uploadsOf(attempt: Attempt, sourceId: string) {
  const { worker, run } = attempt;
  const missing = (path: string) => new DataError('NOT_FOUND', `The data source has no file ${path}.`);
  const find = async (path: string): Promise<UploadedFile> => {
    const key = uploadKey(run.workspaceId, sourceId, path);
    const found = await worker.objects.find(key);
    if (!found) throw missing(path);
    return { key, ...found };
  };
  return {
    find,
    async fetch(path: string, version?: string): Promise<string> {
      const current = await find(path);
      if (version === undefined || current.versionId === version) return worker.cache.fetch(current);
      // The replacement starts a run of its own.
      const arrived = await worker.objects.find(current.key, version);
      if (!arrived) {
        throw new DataError(
          'NOT_FOUND',
          `The version of ${path} that started the run no longer exists, because the file was replaced.`,
        );
      }
      attempt.log('info', `${path} was replaced in the meantime; reading the version that started this run.`);
      return worker.cache.fetch({ key: current.key, version, ...arrived });
    },
  };
}

/** The largest object that S3 copies in one request. */
const MAX_COPIED_BYTES = 5 * 1024 ** 3;

/**
 * Copies a whole Parquet file inside the bucket instead of rewriting it, so that later steps and retries read the same
 * state even when the upload is replaced. Files too large to copy are read in place; files with types that are stored
 * differently here are rewritten.
 */
async function copyParquet(attempt: Attempt, { key, etag, sizeBytes }: UploadedFile): Promise<StepResult> {
  const { cache } = attempt.worker;
  const file = { key, etag, sizeBytes };
  const path = await cache.fetch(file);
  await checkSignature(path, 'parquet');
  await attempt.engine.attach('input', [path]);
  const { columns, types } = await attempt.engine.shape('SELECT * FROM input');
  rejectTooWide(columns);
  reportChanges(attempt, await roundedInstants(attempt.engine, 'SELECT * FROM input', columns, types));
  const [[count] = []] = await attempt.engine.run('SELECT count(*) FROM input');
  const rows = Number(count);
  const attach = () => attempt.engine.attach('read', [path]);
  const { rows: held, ...found } = await compareWithLast(attempt, { columns, rows }, attach);
  const rewritten = held ?? (types.every(isStoredType) ? undefined : 'SELECT * FROM input');
  if (rewritten) return { ...result(await storeStatement(attempt, rewritten)), ...found };
  const own = file.sizeBytes > MAX_COPIED_BYTES ? file : await copied(attempt, file, path);
  return { ...result({ files: [{ ...own, rows }], columns, rows, bytes: file.sizeBytes }), ...found };
}

async function copied(attempt: Attempt, file: UploadedFile, path: string) {
  const { worker, prefix } = attempt;
  const key = `${prefix}/part-1.parquet`;
  await worker.objects.copy(file, key);
  const local = scratchFile(attempt);
  await link(path, local);
  await worker.cache.adopt({ key }, local);
  return { key, sizeBytes: file.sizeBytes };
}

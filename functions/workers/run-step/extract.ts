import { type DataSource, uploadKey } from '../../../shared/data-sources/record.ts';
import { dataSourceRepository } from '../../../shared/data-sources/repository.ts';
import { checkSignature } from '../../../shared/files/file-format.ts';
import { formatOfPath } from '../../../shared/files/format-of-path.ts';
import type { FileFormat } from '../../../shared/files/formats.ts';
import type { ExtractConfig } from '../../../shared/pipelines/configs/extract.ts';
import type { StepOutput } from '../../../shared/pipelines/records.ts';
import { fillTemplate } from '../../../shared/pipelines/references.ts';
import type { StepResult } from '../../../shared/pipelines/settle.ts';
import { extractFileToParquet, type FileExtract } from '../../../shared/sources/file-extract.ts';
import type { Cursor } from '../../../shared/sources/incremental.ts';
import { type Attempt, StepFailure } from './attempt.ts';
import { extractPostgres } from './extract-postgres.ts';
import { scratchFile, storeOutput } from './output.ts';
import { cursorOf, outputWatermark } from './watermark.ts';

/** Reads a file, a table or a query of a data source into Parquet. */
export async function extract(attempt: Attempt): Promise<StepResult> {
  const config = attempt.step.config as unknown as ExtractConfig;
  const source = await dataSourceRepository(attempt.worker.context.table).get(attempt.run.workspaceId, config.sourceId);
  if (!source) throw new StepFailure('NOT_FOUND', 'The data source does not exist.');
  const { object } = config;
  if ('path' in object !== (source.type === 'file')) {
    throw new StepFailure('NOT_FOUND', `The data source is of type ${source.type} and has no such objects.`);
  }
  const cursor = await cursorOf(attempt, config.incremental);
  const output =
    'path' in object
      ? await extractFile(attempt, config, object, cursor)
      : await extractPostgres(attempt, source as Extract<DataSource, { type: 'postgres' }>, config, cursor);
  return { output, rowsIn: 0, rowsOut: output.rows, bytesOut: output.bytes };
}

async function extractFile(
  attempt: Attempt,
  config: ExtractConfig,
  object: { path: string; format?: FileFormat; options?: FileExtract['options'] },
  cursor: Cursor | undefined,
): Promise<StepOutput> {
  const { worker, engine, run } = attempt;
  const path = fillTemplate(object.path, attempt.values);
  const key = uploadKey(run.workspaceId, config.sourceId, path);
  const found = await worker.objects.find(key);
  if (!found) throw new StepFailure('NOT_FOUND', `The data source has no file ${path}.`);
  const format = object.format ?? formatOfPath(path);
  attempt.log('info', `Reading ${path} (${format}, ${found.sizeBytes} bytes).`);
  const file = await worker.cache.fetch({ key, etag: found.etag });
  if (format === 'parquet' && !config.columns && !config.filter && !cursor) {
    return pointTo(attempt, file, { key, ...found });
  }
  const out = scratchFile(attempt);
  const written = await extractFileToParquet(
    engine,
    {
      path: file,
      format,
      ...(object.options ? { options: object.options } : {}),
      ...(config.columns ? { columns: config.columns.map((name) => ({ name })) } : {}),
      ...(config.filter ? { filter: config.filter } : {}),
      ...(cursor ? { cursor } : {}),
    },
    out,
  );
  return {
    ...(await storeOutput(attempt, out, written)),
    ...(await outputWatermark(attempt, cursor, written.watermark)),
  };
}

/** A whole Parquet file is not copied: the steps that follow read the upload itself, in the state that was found. */
async function pointTo(
  attempt: Attempt,
  path: string,
  file: { key: string; etag: string; sizeBytes: number },
): Promise<StepOutput> {
  await checkSignature(path, 'parquet');
  await attempt.engine.attach('input', [path]);
  const columns = await attempt.engine.describe('SELECT * FROM input');
  const [[count] = []] = await attempt.engine.run('SELECT count(*) FROM input');
  const rows = Number(count);
  return { files: [{ ...file, rows }], columns, rows, bytes: file.sizeBytes };
}

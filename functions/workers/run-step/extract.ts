import { uploadKey } from '../../../shared/data-sources/record.ts';
import { dataSourceRepository } from '../../../shared/data-sources/repository.ts';
import { checkSignature, type FileFormat } from '../../../shared/files/file-format.ts';
import { convertToParquet } from '../../../shared/files/read-file.ts';
import type { StepOutput } from '../../../shared/pipelines/records.ts';
import { fillTemplate } from '../../../shared/pipelines/references.ts';
import type { StepResult } from '../../../shared/pipelines/settle.ts';
import { type Attempt, StepFailure } from './attempt.ts';
import { scratchFile, storeOutput } from './output.ts';

interface FileExtract {
  sourceId: string;
  object: { path: string; format?: FileFormat };
  columns?: string[];
}

/** Reads a file or a table of a data source into Parquet. */
export async function extract(attempt: Attempt): Promise<StepResult> {
  const { sourceId } = attempt.step.config as { sourceId: string };
  const source = await dataSourceRepository(attempt.worker.context.table).get(attempt.run.workspaceId, sourceId);
  if (!source) throw new StepFailure('NOT_FOUND', 'The data source does not exist.');
  if (source.type !== 'file') throw new StepFailure('NOT_FOUND', 'The data source holds no files.');
  const output = await extractFile(attempt, attempt.step.config as unknown as FileExtract);
  return { output, rowsIn: 0, rowsOut: output.rows, bytesOut: output.bytes };
}

async function extractFile(attempt: Attempt, config: FileExtract): Promise<StepOutput> {
  const { worker, engine, run } = attempt;
  const path = fillTemplate(config.object.path, attempt.values);
  const key = uploadKey(run.workspaceId, config.sourceId, path);
  const found = await worker.objects.find(key);
  if (!found) throw new StepFailure('NOT_FOUND', `The data source has no file ${path}.`);
  const format = config.object.format ?? formatOf(path);
  attempt.log('info', `Reading ${path} (${format}, ${found.sizeBytes} bytes).`);
  const file = await worker.cache.fetch({ key, etag: found.etag });

  if (format === 'parquet' && !config.columns) {
    await checkSignature(file, 'parquet');
    await engine.attach('input', [file]);
    const columns = await engine.describe('SELECT * FROM input');
    const rows = Number((await engine.run('SELECT count(*) FROM input'))[0]![0]);
    return {
      files: [{ key, etag: found.etag, rows, sizeBytes: found.sizeBytes }],
      columns,
      rows,
      bytes: found.sizeBytes,
    };
  }
  const out = scratchFile(attempt);
  const columns = config.columns?.map((name) => ({ name }));
  const written = await convertToParquet(engine, { path: file, format, ...(columns ? { columns } : {}) }, out);
  return storeOutput(attempt, out, written);
}

function formatOf(path: string): FileFormat {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === 'parquet' || ending === 'ndjson' || ending === 'json') return ending;
  return ending === 'jsonl' ? 'ndjson' : 'csv';
}

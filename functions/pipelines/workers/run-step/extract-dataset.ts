import { rm } from 'node:fs/promises';
import { extractRelation } from '../../../../shared/data/connectors/extract/file-extract.ts';
import { boundaryPath } from '../../../../shared/data/connectors/extract/incremental.ts';
import { bindTemplates } from '../../../../shared/data/sql/templates.ts';
import { type DatasetConfig, fillTemplate } from '../../../../shared/domains/pipelines/definition/index.ts';
import type { StepResult } from '../../../../shared/domains/pipelines/runs/index.ts';
import {
  type Dataset,
  datasetRepository,
  listAllDatasets,
  readManifest,
} from '../../../../shared/domains/warehouse/datasets/index.ts';
import { didYouMean } from '../../../../shared/platform/text/nearest.ts';
import { type Attempt, StepFailure } from './attempt.ts';
import { compareWithLast } from './extract-schema.ts';
import { scratchFile, storeRows, uploadWhileWritten } from './output.ts';
import { continuationOf, outputWatermark } from './watermark.ts';

/** The table that holds the rows of the dataset. */
const ROWS = 'rows of the dataset';

/** Reads the current version of a dataset of the workspace into Parquet. */
export async function extractDataset(attempt: Attempt, config: DatasetConfig): Promise<StepResult> {
  const { engine, worker, values } = attempt;
  const dataset = await datasetOf(attempt, fillTemplate(config.object.dataset, values));
  const manifest = await readManifest(worker.context.table, worker.objects, dataset);
  const columns = manifest?.columns ?? dataset.columns;
  if (columns.length === 0) {
    throw new StepFailure(
      'NOT_FOUND',
      `The dataset ${dataset.name} has no columns yet; refresh it or load rows into it first.`,
    );
  }
  attempt.log('info', `Reading version ${manifest?.version ?? dataset.version} of the dataset ${dataset.name}.`);
  const start = await continuationOf(attempt, config.incremental);
  await engine.attach(ROWS, await worker.cache.fetchAll(manifest?.files ?? []), { emptySchema: columns });
  const filter = config.filter === undefined ? undefined : bindTemplates(config.filter, values);
  const out = scratchFile(attempt);
  const uploading = uploadWhileWritten(attempt, out);
  try {
    const written = await extractRelation(
      engine,
      { sql: `SELECT * FROM ${JSON.stringify(ROWS)}`, columns },
      {
        ...(config.columns ? { columns: config.columns.map((name) => ({ name })) } : {}),
        ...(filter ? { filter: filter.sql, filterParams: filter.params } : {}),
        ...(start ? { cursor: start.cursor } : {}),
      },
      out,
    );
    const { rows, ...found } = await compareWithLast(attempt, written, () => engine.attach('read', [out]));
    const watermark = await outputWatermark(attempt, start, written.watermark);
    const output = await storeRows(attempt, out, written, rows, uploading);
    const counts = { rowsIn: 0, rowsOut: output.rows, bytesOut: output.bytes };
    return { output: { ...output, ...watermark }, ...counts, ...found };
  } finally {
    await uploading.abandon();
    // A failure before the boundary is stored leaves its file behind.
    await rm(boundaryPath(out), { force: true });
  }
}

async function datasetOf({ worker, run }: Attempt, name: string): Promise<Dataset> {
  const { table } = worker.context;
  const found = await datasetRepository(table).find(run.workspaceId, name);
  if (found) return found;
  const names = (await listAllDatasets(table, run.workspaceId)).map((each) => each.name);
  throw new StepFailure('NOT_FOUND', `The workspace has no dataset "${name}"${didYouMean(name, names)}`);
}

import type { Dataset, Manifest } from '../../../shared/datasets/record.ts';
import type { DatasetRepository } from '../../../shared/datasets/repository.ts';
import type { EngineFunction } from '../../../shared/engine-function/client.ts';
import { JsonText } from '../../../shared/http/json-text.ts';
import { findDataset } from './find-dataset.ts';

const PREVIEW_TIMEOUT_MS = 10_000;
const PREVIEW_BYTES = 2 * 1024 * 1024;

/** The first rows of the version that is current now; a dataset without a load is empty. */
export async function previewDataset(
  deps: {
    datasets: DatasetRepository;
    manifest: (dataset: Dataset) => Promise<Manifest | undefined>;
    engine: EngineFunction;
  },
  query: { workspaceId: string; id: string; limit: number },
): Promise<JsonText> {
  const dataset = await findDataset(deps, query);
  const manifest = await deps.manifest(dataset);
  const { version, columns } = dataset;
  if (!manifest) return JsonText.of({ version, columns, rowCount: 0, truncated: false }, { rows: '[]' });
  const answer = await deps.engine.query({
    sql: 'SELECT * FROM dataset',
    params: [],
    tables: [{ name: 'dataset', columns: manifest.columns, files: manifest.files }],
    limit: query.limit,
    maxBytes: PREVIEW_BYTES,
    timeoutMs: PREVIEW_TIMEOUT_MS,
  });
  const { rowCount, truncated, rowsJson } = answer;
  return JsonText.of({ version, columns: answer.columns, rowCount, truncated }, { rows: rowsJson });
}

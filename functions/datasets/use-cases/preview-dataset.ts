import type { Dataset, DatasetRepository, Manifest } from '../../../shared/domains/datasets/index.ts';
import type { EngineFunction } from '../../../shared/domains/engine/index.ts';
import { JsonText } from '../../../shared/platform/http/json-text.ts';
import { findDataset } from './read-datasets.ts';

const PREVIEW_TIMEOUT_MS = 10_000;
const PREVIEW_BYTES = 2 * 1024 * 1024;

/** The first rows of the current version; a dataset that was never loaded is empty. */
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
  const ask = (files: Manifest['files']) =>
    deps.engine.query({
      sql: 'SELECT * FROM dataset',
      params: [],
      tables: [{ name: 'dataset', columns: manifest.columns, files }],
      limit: query.limit,
      maxBytes: PREVIEW_BYTES,
      timeoutMs: PREVIEW_TIMEOUT_MS,
    });
  const few = firstFiles(manifest.files, query.limit);
  let answer = await ask(few);
  // The first files may be older than columns that were added later.
  if (answer.columns.length < manifest.columns.length) answer = await ask(manifest.files);
  const { rowCount, truncated, rowsJson } = answer;
  return JsonText.of({ version, columns: answer.columns, rowCount, truncated }, { rows: rowsJson });
}

/** The files that hold one row more than requested, so that a preview of a large dataset reads little. */
function firstFiles(files: Manifest['files'], limit: number): Manifest['files'] {
  let rows = 0;
  const end = files.findIndex((file) => {
    rows += file.rows;
    return rows > limit;
  });
  return end === -1 ? files : files.slice(0, end + 1);
}

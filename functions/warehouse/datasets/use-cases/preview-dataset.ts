import type { EngineFunction } from '../../../../shared/domains/engine/index.ts';
import {
  datasetRights,
  rowRestriction,
  withVisibleColumns,
} from '../../../../shared/domains/semantics/queries/index.ts';
import type { RightsDeps } from '../../../../shared/domains/semantics/row-rights/index.ts';
import type { Dataset, DatasetRepository, Manifest } from '../../../../shared/domains/warehouse/datasets/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { JsonText } from '../../../../shared/platform/http/json-text.ts';
import { findDataset } from './read-datasets.ts';

const PREVIEW_TIMEOUT_MS = 10_000;
const PREVIEW_BYTES = 2 * 1024 * 1024;

/** The first rows of the current version; a dataset that was never loaded is empty. */
export async function previewDataset(
  deps: {
    datasets: DatasetRepository;
    manifest: (dataset: Dataset) => Promise<Manifest | undefined>;
    engine: EngineFunction;
    rights: RightsDeps;
  },
  query: { workspaceId: string; id: string; limit: number; principal: Principal },
): Promise<JsonText> {
  const dataset = await findDataset(deps, query);
  const rights = await datasetRights(deps, query.principal, [dataset]);
  const manifest = await deps.manifest(dataset);
  const { version, columns } = withVisibleColumns(dataset, rights);
  if (!manifest || columns.length === 0)
    return JsonText.of({ version, columns, rowCount: 0, truncated: false }, { rows: '[]' });
  const ask = (files: Manifest['files']) =>
    deps.engine.query({
      sql: 'SELECT * FROM dataset',
      params: [],
      tables: [{ name: 'dataset', columns: manifest.columns, files, ...only }],
      limit: query.limit,
      maxBytes: PREVIEW_BYTES,
      timeoutMs: PREVIEW_TIMEOUT_MS,
    });
  const restriction = rights.restrictions[dataset.name];
  const only = restriction
    ? { only: { ...(await rowRestriction(deps, query.workspaceId, restriction)), limit: query.limit + 1 } }
    : {};
  // The rows that the caller may see can be in any file.
  const few = restriction ? manifest.files : firstFiles(manifest.files, query.limit);
  let answer = await ask(few);
  // The first files may be older than columns that were added later.
  if (!restriction && answer.columns.length < manifest.columns.length) answer = await ask(manifest.files);
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

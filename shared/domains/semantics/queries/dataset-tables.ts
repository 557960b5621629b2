import { mentionedNames, mentionedWords } from '../../../data/sql/mentioned-names.ts';
import type { DataFile } from '../../../data/tables/data-file.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { RelatedTable, RowRestriction, TableInput } from '../../engine/index.ts';
import type { Dataset, DatasetRepository, Manifest } from '../../warehouse/datasets/index.ts';
import type { QueryCommand } from './command.ts';
import type { DatasetRestriction, DatasetRights } from './dataset-rights.ts';

export interface DatasetDeps {
  datasets: DatasetRepository;
  /** What the conditions of rights read, where the statement reads earlier versions; `datasets` by default. */
  rightsDatasets?: Pick<DatasetRepository, 'getMany'>;
  manifest: (dataset: Dataset) => Promise<Manifest | undefined>;
}

/** The current datasets that the statement may read and whose names it mentions. Throws DATASET_NOT_FOUND. */
export async function mentionedDatasets(
  deps: Pick<DatasetDeps, 'datasets'>,
  command: Pick<QueryCommand, 'workspaceId' | 'datasetIds' | 'sql'>,
): Promise<Dataset[]> {
  const { workspaceId, datasetIds, sql } = command;
  const names = mentionedNames(sql);
  if (!datasetIds) {
    const found = await deps.datasets.findMany(workspaceId, names);
    // The order is part of the cache key, so it must be stable.
    return found.sort((one, other) => (one.id < other.id ? -1 : 1));
  }
  const mentioned = new Set(names);
  return (await namedDatasets(deps, workspaceId, datasetIds)).filter(({ name }) => mentioned.has(name.toLowerCase()));
}

/**
 * The files of the datasets, with the bounds by which the engine can skip some. A dataset that was never loaded has no
 * columns and is left out.
 */
export async function tablesOf(
  deps: DatasetDeps,
  datasets: readonly Dataset[],
  { sql, restrictions = {} }: { sql: string; restrictions?: DatasetRights['restrictions'] | undefined },
): Promise<TableInput[]> {
  const words = mentionedWords(sql);
  const loaded = datasets.filter(({ name, columns }) => (restrictions[name]?.columns ?? columns).length > 0);
  return Promise.all(
    loaded.map(async (dataset) => {
      const manifest = await deps.manifest(dataset);
      const only = restrictions[dataset.name];
      return {
        name: dataset.name,
        columns: dataset.columns,
        // Without bounds all files are read: which ones are skipped would show values of hidden rows.
        files: (manifest?.files ?? []).map((file) => fileInput(file, only ? new Set() : words)),
        ...(only ? { only: await rowRestriction(deps, dataset.workspaceId, only) } : {}),
      };
    }),
  );
}

/**
 * The restriction with the files of what its condition reads. If one of those datasets has gone, no row is shown: what
 * the condition says is not known.
 */
export async function rowRestriction(
  deps: DatasetDeps,
  workspaceId: string,
  { relatedDatasets = [], ...restriction }: DatasetRestriction,
): Promise<RowRestriction> {
  if (relatedDatasets.length === 0) return { ...restriction, related: [] };
  const found = await (deps.rightsDatasets ?? deps.datasets).getMany(
    workspaceId,
    relatedDatasets.map(({ id }) => id),
  );
  const related: RelatedTable[] = [];
  for (const { name, id } of relatedDatasets) {
    const dataset = found.find((each) => each.id === id);
    const manifest = dataset && (await deps.manifest(dataset));
    if (!manifest) return { ...restriction, where: 'FALSE', params: [], related: [] };
    const files = manifest.files.map(({ key, etag, sizeBytes }) => ({ key, ...(etag && { etag }), sizeBytes }));
    related.push({ name, columns: dataset.columns, files });
  }
  return { ...restriction, related };
}

/** Omits bounds of columns that the statement does not mention; they would be most of a request. */
function fileInput({ key, etag, sizeBytes, rows, form, stats = {} }: DataFile, words: ReadonlySet<string>) {
  const mentioned = Object.entries(stats).filter(([column]) => words.has(column.toLowerCase()));
  return { key, ...(etag && { etag }), sizeBytes, rows, ...(form && { form }), stats: Object.fromEntries(mentioned) };
}

async function namedDatasets(
  deps: Pick<DatasetDeps, 'datasets'>,
  workspaceId: string,
  datasetIds: string[],
): Promise<Dataset[]> {
  const found = await deps.datasets.getMany(workspaceId, datasetIds);
  const missing = datasetIds.flatMap((id, index) =>
    found.some((dataset) => dataset.id === id)
      ? []
      : [{ pointer: `/datasetIds/${index}`, code: 'NOT_FOUND', message: 'is not a dataset of this workspace' }],
  );
  if (missing.length > 0) throw new AppError('DATASET_NOT_FOUND', { errors: missing });
  return found;
}

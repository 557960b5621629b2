import type { Dataset, Manifest } from '../../../shared/domains/datasets/record.ts';
import type { DatasetRepository } from '../../../shared/domains/datasets/repository.ts';
import type { DatasetSchema } from '../schemas.ts';
import { findDataset } from './find-dataset.ts';

/** The columns of the current version, and whether each has nulls as far as that was counted when it was loaded. */
export async function describeColumns(
  deps: { datasets: DatasetRepository; manifest(dataset: Dataset): Promise<Manifest | undefined> },
  query: { workspaceId: string; id: string },
): Promise<DatasetSchema> {
  const dataset = await findDataset(deps, query);
  const files = (await deps.manifest(dataset))?.files ?? [];
  const columns = dataset.columns.map((column) => {
    const nulls = files.map(({ stats }) => stats?.[column.name]?.nulls);
    const counted = nulls.every((count) => count !== undefined);
    return { ...column, nullable: nulls.some((count) => count) ? true : counted ? false : null };
  });
  return { version: dataset.version, columns };
}

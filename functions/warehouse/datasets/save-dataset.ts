import { type Dataset, datasetRepository } from '../../../shared/domains/warehouse/datasets/index.ts';
import { sourceReferenceItems } from '../../../shared/domains/warehouse/sources/index.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { withReferences } from '../../../shared/platform/storage/references.ts';
import type { Table, TransactItem } from '../../../shared/platform/storage/table.ts';

/**
 * Stores a new dataset, or replaces the previous state, and others with it. Throws `STALE_WRITE`,
 * `DATA_SOURCE_NOT_FOUND`.
 */
export type SaveDataset = (
  previous: Dataset | null,
  next: Dataset,
  also?: readonly { previous: Dataset; next: Dataset }[],
  items?: readonly TransactItem[],
) => Promise<Dataset>;

const sourceIds = (dataset: Dataset | null): string[] =>
  dataset?.source && 'sourceId' in dataset.source ? [dataset.source.sourceId] : [];

/** References from the dataset to its source, which cannot be deleted meanwhile; `next` null removes them. */
export function referenceItems(table: Table, previous: Dataset | null, next: Dataset | null): TransactItem[] {
  const { workspaceId, id } = (next ?? previous)!;
  return sourceReferenceItems(table, { workspaceId, type: 'dataset', id }, sourceIds(previous), sourceIds(next));
}

export async function saveDataset(
  table: Table,
  ...[previous, next, also = [], items = []]: Parameters<SaveDataset>
): Promise<Dataset> {
  const datasets = datasetRepository(table);
  const others = (await Promise.all(also.map((each) => datasets.replaceItems(each.previous, each.next)))).flat();
  const references = referenceItems(table, previous, next);
  return withReferences(
    [...others, ...references],
    (referring) => {
      const all = [...referring, ...items];
      return previous ? datasets.replace(previous, next, 'STALE_WRITE', all) : datasets.create(next, all);
    },
    (cause, failed) => {
      if (failed.some((position) => position < others.length)) return new AppError('STALE_WRITE', { cause });
      const errors = [{ pointer: '/source/sourceId', code: 'NOT_FOUND', message: 'was deleted just now' }];
      return new AppError('DATA_SOURCE_NOT_FOUND', { cause, errors });
    },
  );
}

import { datasetRights, withVisibleColumns } from '../../../../shared/domains/semantics/queries/index.ts';
import type { RightsDeps } from '../../../../shared/domains/semantics/row-rights/index.ts';
import {
  type Dataset,
  type DatasetRepository,
  expiryOf,
  type Manifest,
  type VersionSummary,
} from '../../../../shared/domains/warehouse/datasets/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { Cursors } from '../../../../shared/platform/http/cursor.ts';
import { type ListRequest, searching } from '../../../../shared/platform/storage/list-request.ts';
import type { CursorPageOf, PageOf } from '../../../../shared/platform/storage/page.ts';
import { type DatasetSchema, type DatasetsQuery, type DatasetVersions, SIZES } from '../schemas.ts';

export async function findDataset(
  deps: { datasets: DatasetRepository },
  named: { workspaceId: string; id: string },
): Promise<Dataset> {
  const dataset = await deps.datasets.get(named.workspaceId, named.id);
  if (!dataset) throw new AppError('DATASET_NOT_FOUND');
  return dataset;
}

/**
 * A cursor is a position in the whole list, newest first, so an offset, a filter or an order beside it is rejected.
 * Throws the codes of `Cursors.open`.
 */
export async function listDatasets(
  deps: { datasets: DatasetRepository; cursors: Cursors; now: () => Date },
  query: DatasetsQuery & { workspaceId: string },
): Promise<PageOf<Dataset> & CursorPageOf<Dataset>> {
  const { workspaceId, cursor, ...request } = query;
  const { limit, offset, search, ...order } = request;
  const now = deps.now();
  const scope = { workspaceId, list: ['datasets'] };
  const besides = [
    ...(offset > 0 ? ['offset'] : []),
    ...(['name', 'search', 'sort'] as const).filter((each) => request[each]),
  ];
  if (cursor && besides.length > 0) {
    const message = 'cannot be combined with a cursor';
    throw new AppError('VALIDATION_FAILED', {
      errors: besides.map((name) => ({ pointer: `/query/${name}`, code: 'NOT_WITH_CURSOR', message })),
    });
  }
  const place = cursor ? await deps.cursors.open(cursor, scope, now) : { after: undefined, asOf: now.toISOString() };
  if (besides.length > 0) {
    const matches = searching(search, ({ name }: Dataset) => [name]);
    const selected: ListRequest<Dataset> = { limit, offset, ...order, matches, ...comparing(order.sort) };
    return { ...(await deps.datasets.list(workspaceId, selected)), nextCursor: null };
  }
  const { last, ...page } = await deps.datasets.listAfter(workspaceId, { limit, after: place.after });
  const nextCursor = last ? await deps.cursors.seal({ asOf: place.asOf, after: last }, scope, now) : null;
  return { ...page, limit, offset, nextCursor };
}

/** Numbers and times; datasets without any rows loaded are last. */
function comparing(sort: string | undefined): Pick<ListRequest<Dataset>, 'compare'> {
  const member = SIZES.find((each) => sort?.endsWith(each));
  if (member === undefined) return {};
  const sign = sort!.startsWith('-') ? -1 : 1;
  return {
    compare: (one, other) => {
      const [a, b] = [one[member], other[member]];
      if (a === null || b === null) return Number(a === null) - Number(b === null);
      return a === b ? 0 : a < b ? -sign : sign;
    },
  };
}

/**
 * The columns of the current version that the caller may see, and whether each has nulls if that was counted during the
 * load. The nulls of rows that the caller may not see say nothing.
 */
export async function describeColumns(
  deps: { datasets: DatasetRepository; manifest(dataset: Dataset): Promise<Manifest | undefined>; rights: RightsDeps },
  query: { workspaceId: string; id: string; principal: Principal },
): Promise<DatasetSchema> {
  const found = await findDataset(deps, query);
  const rights = await datasetRights(deps, query.principal, [found]);
  const dataset = withVisibleColumns(found, rights);
  const isWhole = rights.fingerprint === 'all';
  const files = (await deps.manifest(dataset))?.files ?? [];
  const columns = dataset.columns.map((column) => {
    const nulls = files.map(({ stats }) => stats?.[column.name]?.nulls);
    const counted = isWhole && nulls.every((count) => count !== undefined);
    return { ...column, nullable: isWhole && nulls.some((count) => count) ? true : counted ? false : null };
  });
  return { version: dataset.version, columns };
}

/** The versions that can be restored, newest first, with the time at which each may be deleted. */
export async function listVersions(
  deps: {
    datasets: DatasetRepository;
    versions(workspaceId: string, id: string): Promise<VersionSummary[]>;
    storedBytes(workspaceId: string, id: string): Promise<number>;
  },
  query: { workspaceId: string; id: string },
): Promise<DatasetVersions> {
  const dataset = await findDataset(deps, query);
  const [versions, storedBytes] = await Promise.all([
    deps.versions(query.workspaceId, query.id),
    deps.storedBytes(query.workspaceId, query.id),
  ]);
  const expiries = new Map(
    expiryOf(versions, dataset.retention).map(({ version, expiresAt }) => [version, expiresAt?.toISOString() ?? null]),
  );
  const items = versions.map(({ version, columns, rowCount, sizeBytes, mode, origin, createdAt }) => ({
    version,
    isCurrent: version === dataset.version,
    columns,
    rowCount,
    sizeBytes,
    mode,
    origin,
    createdAt,
    expiresAt: expiries.get(version) ?? null,
  }));
  return { items, storedBytes };
}

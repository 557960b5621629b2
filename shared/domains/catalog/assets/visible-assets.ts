import type { Principal } from '../../../platform/auth/principal.ts';
import type { ReadRule } from '../../../platform/entitlements/may-read.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { dashboardRepository, sightOf } from '../../boards/dashboards/index.ts';
import { reportRepository, reportSight } from '../../boards/reports/index.ts';
import { pipelineRepository } from '../../pipelines/store/index.ts';
import { metricRepository } from '../../semantics/metrics/index.ts';
import { modelRepository } from '../../semantics/models/index.ts';
import { savedQueryRepository } from '../../semantics/saved-queries/index.ts';
import { storyRepository, storySight } from '../../stories/stories/index.ts';
import type { CertifiedObject } from '../../tenancy/certifications/index.ts';
import { grantReader, grantsTo, type ReceivedGrant } from '../../tenancy/grants/index.ts';
import { datasetRepository } from '../../warehouse/datasets/index.ts';
import { termRepository } from '../terms/index.ts';

/** An object of the catalog as one reader knows it. */
export interface VisibleAsset {
  type: CertifiedObject;
  id: string;
  name: string;
  description: string;
  /** Those who answer for it unless the catalog names others. */
  ownerIds: readonly string[];
  /** Of terms, which have their own. */
  tags?: readonly string[];
  updatedAt: string;
}

interface AssetKind extends ReadRule {
  /** All that the reader may see, given that the rule lets them read any. Throws `LIST_TOO_LARGE`. */
  read(table: Table, reader: Principal): Promise<VisibleAsset[]>;
  /** Undefined if the object does not exist for the reader. */
  find(table: Table, reader: Principal, id: string): Promise<VisibleAsset | undefined>;
}

interface Listed {
  id: string;
  name: string;
  description?: string | null;
  ownerId?: string;
  createdBy?: string | null;
  updatedAt: string;
}

const assetOf = (
  type: CertifiedObject,
  { id, name, description, ownerId, createdBy, updatedAt }: Listed,
): VisibleAsset => {
  const owner = ownerId ?? createdBy;
  return { type, id, name, description: description ?? '', ownerIds: owner ? [owner] : [], updatedAt };
};

interface Records<R> {
  readAll(workspaceId: string): Promise<R[]>;
  get(workspaceId: string, id: string): Promise<R | undefined>;
}

/** A kind whose objects everyone with the permission may read. */
const openKind = <R extends Listed>(
  type: CertifiedObject,
  rule: ReadRule,
  repository: (table: Table) => Records<R>,
  assetFor: (record: R) => VisibleAsset = (record) => assetOf(type, record),
): AssetKind => ({
  ...rule,
  read: async (table, { workspaceId }) => (await repository(table).readAll(workspaceId)).map(assetFor),
  async find(table, { workspaceId }, id) {
    const record = await repository(table).get(workspaceId, id);
    return record && assetFor(record);
  },
});

/** A kind whose objects are granted one by one; `assetFor` knows what the reader sees of one. */
const grantedKind = <R extends { id: string }>(
  type: 'dashboard' | 'report' | 'story',
  rule: ReadRule,
  repository: (table: Table) => Records<R>,
  assetFor: (reader: Principal, record: R, grant: ReceivedGrant | undefined) => VisibleAsset | undefined,
): AssetKind => ({
  ...rule,
  async read(table, reader) {
    const [records, levels] = await Promise.all([
      repository(table).readAll(reader.workspaceId),
      grantsTo(table, reader, type),
    ]);
    // What a key may do changes nothing about what its role sees.
    const role = { ...reader, scope: null };
    return records.flatMap((record) => assetFor(role, record, levels.get(record.id)) ?? []);
  },
  async find(table, reader, id) {
    const [record, grant] = await Promise.all([
      repository(table).get(reader.workspaceId, id),
      grantReader(table, type)(reader, id),
    ]);
    return record && assetFor({ ...reader, scope: null }, record, grant);
  },
});

const dashboards = grantedKind(
  'dashboard',
  { permission: 'dashboards:read' },
  dashboardRepository,
  (reader, record, grant) => {
    const sight = record.deletedAt === null ? sightOf(reader, record, grant) : undefined;
    if (!sight) return undefined;
    // Readers know it as it was published.
    const { name, description } = sight.seesDraft ? record : (record.published ?? record);
    return assetOf('dashboard', { ...record, name, description });
  },
);

const reports = grantedKind('report', { permission: 'reports:read' }, reportRepository, (reader, record, grant) =>
  record.deletedAt === null && reportSight(reader, record, grant) ? assetOf('report', record) : undefined,
);

const stories = grantedKind('story', { permission: 'stories:read' }, storyRepository, (reader, record, grant) => {
  const { deletedAt, archivedAt, published } = record;
  const sight = deletedAt === null && archivedAt === null ? storySight(reader, record, grant) : undefined;
  if (!sight) return undefined;
  const { title: name, summary } = sight.seesDraft ? record : (published ?? record);
  return assetOf('story', { ...record, name, description: summary ?? '' });
});

const terms = openKind('term', { permission: 'catalog:read' }, termRepository, (term) => ({
  ...assetOf('term', { ...term, description: term.definition }),
  ownerIds: term.ownerIds,
  tags: term.tags,
}));

export const ASSET_KINDS: Record<CertifiedObject, AssetKind> = {
  model: openKind('model', { permission: 'models:read' }, modelRepository),
  metric: openKind('metric', { permission: 'metrics:read' }, metricRepository),
  dataset: openKind('dataset', { permission: 'datasets:read', product: 'warehouse' }, datasetRepository),
  'saved-query': openKind(
    'saved-query',
    { permission: 'saved-queries:read', product: 'warehouse' },
    (table) => savedQueryRepository(table).queries,
  ),
  dashboard: dashboards,
  report: reports,
  story: stories,
  pipeline: openKind('pipeline', { permission: 'pipelines:read', product: 'pipelines' }, pipelineRepository),
  term: terms,
};

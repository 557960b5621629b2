import {
  currentScores,
  datasetFreshness,
  type FRESHNESS_STATUSES,
  tableKey,
} from '../../../../../shared/domains/quality/index.ts';
import {
  DATASETS,
  definitionReader,
  fieldsOf,
  type ModelDefinition,
  modelOrNone,
} from '../../../../../shared/domains/semantics/models/index.ts';
import { datasetRights, withVisibleColumns } from '../../../../../shared/domains/semantics/queries/index.ts';
import { type RightsDeps, rightsDeps } from '../../../../../shared/domains/semantics/row-rights/index.ts';
import type { CertifiedObject } from '../../../../../shared/domains/tenancy/certifications/index.ts';
import { type Dataset, datasetRepository } from '../../../../../shared/domains/warehouse/datasets/index.ts';
import { isPermitted } from '../../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';
import type { CatalogAssetDetails } from '../schemas.ts';
import type { AssetDeps } from './context.ts';

const MAX_FIELDS = 1000;

type Contents = Pick<CatalogAssetDetails, 'fields' | 'qualityScore' | 'freshness'>;

const NOTHING: Contents = { fields: [], qualityScore: null, freshness: null };

/** What is in an object that the reader sees, and the state of the datasets that it is made from. */
export async function assetContents(
  deps: Pick<AssetDeps, 'table' | 'now'>,
  reader: Principal,
  { type, id }: { type: CertifiedObject; id: string },
): Promise<Contents> {
  const { workspaceId } = reader;
  const { table, now } = deps;
  if (type === 'dataset') {
    const dataset = await datasetRepository(table).get(workspaceId, id);
    if (!dataset) return NOTHING;
    const rights: RightsDeps = rightsDeps(table, now);
    const { columns } = withVisibleColumns(dataset, await datasetRights({ rights }, reader, [dataset]));
    const fields = columns.map(({ name, type: dataType }) => ({ id: name, name, dataType, description: '' }));
    return { fields: fields.slice(0, MAX_FIELDS), ...(await stateOf(deps, reader, [dataset])) };
  }
  if (type !== 'model') return NOTHING;
  const definition = await modelOrNone(definitionReader(table), { workspaceId, modelId: id });
  if (!definition) return NOTHING;
  const names = [...definition.tables.values()].map(({ sourceTable }) => sourceTable);
  const isOverDatasets = definition.model.sourceId === DATASETS;
  const datasets = isOverDatasets ? await datasetRepository(table).findMany(workspaceId, names) : [];
  return { fields: modelFields(definition), ...(await stateOf(deps, reader, datasets)) };
}

function modelFields(definition: ModelDefinition): Contents['fields'] {
  return [...definition.tables.values()]
    .flatMap(({ id: tableId, alias }) =>
      fieldsOf(definition, tableId)
        .filter(({ isHidden }) => !isHidden)
        .map(({ id, name, dataType, description }) => ({ id, name: `${alias}.${name}`, dataType, description })),
    )
    .slice(0, MAX_FIELDS);
}

/** The worst of several datasets counts. */
async function stateOf(
  { table, now }: Pick<AssetDeps, 'table' | 'now'>,
  reader: Principal,
  datasets: readonly Dataset[],
): Promise<Pick<Contents, 'qualityScore' | 'freshness'>> {
  if (datasets.length === 0) return { qualityScore: null, freshness: null };
  const keys = new Set(datasets.map(({ name }) => tableKey({ sourceId: DATASETS, schemaName: '', tableName: name })));
  const [scores, freshness] = await Promise.all([
    isPermitted('quality:read', reader) ? currentScores({ table, now }, reader.workspaceId) : [],
    Promise.all(datasets.map((dataset) => datasetFreshness(table, dataset, now()))),
  ]);
  const known = scores.flatMap(({ tableKey: key, score }) => (score !== null && keys.has(key) ? [score] : []));
  const badness = ({ status }: (typeof freshness)[number]) => WORST_FIRST.indexOf(status);
  const [worst] = freshness.sort((a, b) => badness(a) - badness(b));
  const { status, lastLoadedAt, staleAt } = worst!;
  return { qualityScore: known.length > 0 ? Math.min(...known) : null, freshness: { status, lastLoadedAt, staleAt } };
}

const WORST_FIRST: readonly (typeof FRESHNESS_STATUSES)[number][] = ['stale', 'unknown', 'fresh'];

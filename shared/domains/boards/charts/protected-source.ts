import { AppError } from '../../../platform/errors/app-error.ts';
import type { EngineFunction } from '../../engine/index.ts';
import { DATASETS, modelOrNone, type SourcePlace, sharesRows } from '../../semantics/models/index.ts';
import { mentionedDatasets } from '../../semantics/queries/index.ts';
import { protectedAmong } from '../../semantics/row-rights/index.ts';
import type { SavedQuery } from '../../semantics/saved-queries/index.ts';
import type { ChartCheckDeps } from './chart-reading.ts';
import type { ChartQuery, SourceKind } from './chart-spec.ts';

export type ProtectedDeps = ChartCheckDeps & { engine: Pick<EngineFunction, 'check'> };

/**
 * The names of the tables that a chart of the source reads and that row-level security or sensitivity labels protect,
 * so that not every member may see its rows. If a statement or a view may read any table of a data source, every
 * protected table of it counts. A source that does not exist reads nothing, because its charts have no rows.
 */
export async function protectedReads(
  deps: ProtectedDeps,
  workspaceId: string,
  source: ChartQuery['source'],
): Promise<string[]> {
  const reads = (await readsOf(deps, workspaceId, source)) ?? [];
  const names = await Promise.all(reads.map((read) => protectedIn(deps, workspaceId, read)));
  return [...new Set(names.flat())].sort();
}

async function protectedIn(
  deps: ProtectedDeps,
  workspaceId: string,
  { sourceId, places, statement, returnsRowsOf }: Reads,
): Promise<string[]> {
  const among = await protectedAmong(deps.rights, { workspaceId, sourceId, places: returnsRowsOf ? 'all' : places });
  const found = returnsRowsOf ? among.filter(returnsRowsOf) : among;
  const names = found.map(({ schema, table }) => (schema === '' ? table : `${schema}.${table}`));
  const mentioned = [...new Set(names)].sort();
  if (mentioned.length === 0 || statement === undefined || places === 'all') return mentioned;
  const tables = places.map(({ table }) => table);
  const [checked] = await deps.engine.check([{ sql: statement, tables }]);
  // A statement that cannot be resolved may read everything that it mentions.
  return checked?.ok ? mentioned.filter((name) => checked.tables.includes(name)) : mentioned;
}

export const isProtectedSource = async (
  deps: ProtectedDeps,
  workspaceId: string,
  source: ChartQuery['source'],
): Promise<boolean> => (await protectedReads(deps, workspaceId, source)).length > 0;

/** Tables of one data source that a chart reads. */
export interface Reads {
  sourceId: string;
  places: readonly SourcePlace[] | 'all';
  /** The model through which the tables are read. Labels of its calculated fields are none of the tables. */
  modelId?: string;
  /** The statement that mentions the tables. It may use some of the names for something else. */
  statement?: string;
  /** Whether the tables may return rows of another one of the data source. */
  returnsRowsOf?(place: SourcePlace): boolean;
}

/** The tables that a chart of the source reads; undefined if the source does not exist. */
export const readsOf = (
  deps: ChartCheckDeps,
  workspaceId: string,
  { kind, id }: ChartQuery['source'],
): Promise<readonly Reads[] | undefined> => READS[kind](deps, workspaceId, id);

type ReadsOfSource = (deps: ChartCheckDeps, workspaceId: string, id: string) => Promise<readonly Reads[] | undefined>;

const READS: Readonly<Record<SourceKind, ReadsOfSource>> = {
  async dataset(deps, workspaceId, id) {
    const dataset = await deps.datasets.get(workspaceId, id);
    return dataset && [{ sourceId: DATASETS, places: [{ schema: '', table: dataset.name }] }];
  },
  async savedQuery(deps, workspaceId, id) {
    const saved = await deps.savedQueries.get(workspaceId, id);
    return saved && [await ofStatement(deps, saved)];
  },
  async metric(deps, workspaceId, id) {
    const metric = await deps.metrics.get(workspaceId, id);
    return metric && ofModels(deps, workspaceId, [metric.modelId]);
  },
  async blend(deps, workspaceId, id) {
    const blend = await deps.blends.get(workspaceId, id);
    return blend && ofModels(deps, workspaceId, [blend.leftModelId, blend.rightModelId]);
  },
  model: (deps, workspaceId, id) => ofModels(deps, workspaceId, [id]),
};

async function ofModels(deps: ChartCheckDeps, workspaceId: string, ids: readonly string[]) {
  const found = await Promise.all([...new Set(ids)].map((id) => ofModel(deps, workspaceId, id)));
  const reads = found.flatMap((each) => each ?? []);
  return reads.length === found.length ? reads : undefined;
}

/**
 * A statement over datasets can read no others than those that it mentions now; one of a data source can read views.
 */
async function ofStatement(
  deps: Pick<ChartCheckDeps, 'datasets'>,
  { workspaceId, sourceId, datasetIds, sql }: SavedQuery,
): Promise<Reads> {
  if (sourceId !== null) return { sourceId, places: 'all' };
  try {
    const datasets = await mentionedDatasets(deps, { workspaceId, sql, ...(datasetIds && { datasetIds }) });
    const places = datasets.map(({ name: table }) => ({ schema: '', table }));
    return { sourceId: DATASETS, places, statement: sql };
  } catch (error) {
    if (error instanceof AppError) return { sourceId: DATASETS, places: 'all' };
    throw error;
  }
}

async function ofModel(deps: ChartCheckDeps, workspaceId: string, modelId: string): Promise<Reads | undefined> {
  const definition = await modelOrNone(deps.definitions, { workspaceId, modelId });
  if (!definition) return undefined;
  const { model } = definition;
  const places = [...definition.tables.values()].map(({ sourceSchema, sourceTable }) => ({
    schema: sourceSchema,
    table: sourceTable,
  }));
  const { sourceId } = model;
  if (sourceId === DATASETS) return { sourceId, places, modelId };
  const known = await deps.readTables(model);
  const read = places.map((place) => sharesRows(known, place));
  return { sourceId, places, modelId, returnsRowsOf: (place) => read.some((shares) => shares(place)) };
}

import { inlineValuesOf, type RichText } from '../../../data/rich-text/index.ts';
import { type Reads, readsOf } from '../../boards/charts/index.ts';
import { DATASETS } from '../../semantics/models/index.ts';
import { protectedAmong } from '../../semantics/row-rights/index.ts';
import { datasetRepository } from '../../warehouse/datasets/index.ts';
import { type BlockSource, blockSources } from './block-sources.ts';
import { distinctTables, joinReads, type QuotedTable, type TextReads } from './quoted-tables.ts';
import type { RightsClassDeps } from './rights-class.ts';

/** Another section whose live blocks the values of a text may refer to. */
export type ReadSection = { blockIds: readonly string[]; reads: TextReads };

/** The tables that the live blocks and the values of a text read now. */
export async function readsOfText(
  deps: RightsClassDeps,
  workspaceId: string,
  content: RichText,
  others: readonly ReadSection[],
): Promise<TextReads> {
  const sources = await blockSources(deps.sources, workspaceId, content);
  if (sources === 'unknown') return null;
  const own = new Set(content.content.map(({ attrs }) => attrs.id));
  let reads: TextReads = [];
  const metrics: BlockSource[] = [];
  for (const { part } of inlineValuesOf(content)) {
    const { source } = part;
    if ('metricId' in source) metrics.push({ kind: 'metric', id: source.metricId });
    else if (!own.has(source.blockId)) {
      const other = others.find(({ blockIds }) => blockIds.includes(source.blockId));
      reads = joinReads(reads, other?.reads ?? null);
    }
  }
  for (const source of distinct([...sources, ...metrics])) {
    reads = joinReads(reads, await readsOfSource(deps, workspaceId, source));
  }
  return reads;
}

const distinct = (sources: readonly BlockSource[]): BlockSource[] => [
  ...new Map(sources.map((source) => [`${source.kind}#${source.id}`, source])).values(),
];

async function readsOfSource(
  { charts }: RightsClassDeps,
  workspaceId: string,
  source: BlockSource,
): Promise<TextReads> {
  const found = await readsOf(charts, workspaceId, source);
  if (!found) return null;
  const reads = await Promise.all(found.map((read) => quotedIn(charts, workspaceId, read)));
  return reads.reduce((all, each) => joinReads(all, each), []);
}

async function quotedIn(
  charts: RightsClassDeps['charts'],
  workspaceId: string,
  { sourceId, places, modelId, returnsRowsOf }: Reads,
): Promise<TextReads> {
  const models = modelId === undefined ? [] : [modelId];
  if (places === 'all') return [{ sourceId, tables: 'all', models }];
  const shared = returnsRowsOf
    ? (await protectedAmong(charts.rights, { workspaceId, sourceId, places: 'all' })).filter(returnsRowsOf)
    : [];
  const tables = distinctTables([...places, ...shared]);
  if (sourceId !== DATASETS) return [{ sourceId, tables, models }];
  const names = tables.map(({ table }) => table.toLowerCase());
  const datasets = await datasetRepository(charts.rights.table).findMany(workspaceId, names);
  const ids = new Map(datasets.map(({ id, name }) => [name.toLowerCase(), id]));
  const withIds = tables.map((place): QuotedTable => {
    const datasetId = ids.get(place.table.toLowerCase());
    return datasetId === undefined ? place : { ...place, datasetId };
  });
  return [{ sourceId, tables: withIds, models }];
}

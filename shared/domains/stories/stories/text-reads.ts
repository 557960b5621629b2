import { inlineValuesOf, type RichText } from '../../../data/rich-text/index.ts';
import { readsOf } from '../../boards/charts/index.ts';
import { DATASETS, type SourcePlace } from '../../semantics/models/index.ts';
import { protectedAmong } from '../../semantics/row-rights/index.ts';
import { datasetRepository } from '../../warehouse/datasets/index.ts';
import { type BlockSource, blockSources } from './block-sources.ts';
import type { RightsClassDeps } from './rights-class.ts';

/** A table that a text may quote. Datasets are found by their id too, because they can be renamed. */
export interface QuotedTable extends SourcePlace {
  datasetId?: string;
}

/** The tables of one source whose rows a text may quote; `all` if they are not known. */
export interface TextSource {
  sourceId: string;
  tables: readonly QuotedTable[] | 'all';
}

/**
 * The tables whose rows a text may quote, as they were resolved when it was written; null if that was not possible. A
 * text may quote the rows of a live block after the block is removed, or its card shows other data.
 */
export type TextReads = readonly TextSource[] | null;

/** For more, the rights of a reader take too long to find. */
const MAX_TABLES = 500;

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
  const read = await readsOf(charts, workspaceId, source);
  if (!read) return null;
  const { sourceId, places, returnsRowsOf } = read;
  if (places === 'all') return [{ sourceId, tables: 'all' }];
  const shared = returnsRowsOf
    ? (await protectedAmong(charts.rights, { workspaceId, sourceId, places: 'all' })).filter(returnsRowsOf)
    : [];
  const tables = distinctTables([...places, ...shared]);
  if (sourceId !== DATASETS) return [{ sourceId, tables }];
  const names = tables.map(({ table }) => table.toLowerCase());
  const datasets = await datasetRepository(charts.rights.table).findMany(workspaceId, names);
  const ids = new Map(datasets.map(({ id, name }) => [name.toLowerCase(), id]));
  const withIds = tables.map((place): QuotedTable => {
    const datasetId = ids.get(place.table.toLowerCase());
    return datasetId === undefined ? place : { ...place, datasetId };
  });
  return [{ sourceId, tables: withIds }];
}

/** What either of two texts reads. */
export function joinReads(one: TextReads, other: TextReads): TextReads {
  if (one === null || other === null) return null;
  const sources = new Map<string, TextSource>();
  for (const { sourceId, tables } of [...one, ...other]) {
    const known = sources.get(sourceId)?.tables ?? [];
    const joined = known === 'all' || tables === 'all' ? 'all' : distinctTables([...known, ...tables]);
    sources.set(sourceId, { sourceId, tables: joined });
  }
  const joined = [...sources.values()].sort((a, b) => (a.sourceId < b.sourceId ? -1 : 1));
  const count = joined.reduce((sum, { tables }) => sum + (tables === 'all' ? 1 : tables.length), 0);
  return count > MAX_TABLES ? null : joined;
}

const nameOf = ({ schema, table, datasetId = '' }: QuotedTable): string => JSON.stringify([schema, table, datasetId]);

const distinctTables = (tables: readonly QuotedTable[]): QuotedTable[] =>
  [...new Map(tables.map((each) => [nameOf(each), each])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => each);

export const isSameReads = (one: TextReads, other: TextReads): boolean => textOf(one) === textOf(other);

const textOf = (reads: TextReads): string =>
  JSON.stringify(
    reads?.map(({ sourceId, tables }) => [sourceId, tables === 'all' ? tables : tables.map(nameOf)]) ?? null,
  );

/** The tables under their present names. Former ones count too: a policy may still name them. */
export async function presentTables(
  { charts }: RightsReadDeps,
  workspaceId: string,
  { sourceId, tables }: TextSource,
): Promise<readonly SourcePlace[] | 'all'> {
  if (tables === 'all' || sourceId !== DATASETS) return tables;
  const ids = tables.flatMap(({ datasetId }) => datasetId ?? []);
  const datasets = await datasetRepository(charts.rights.table).getMany(workspaceId, ids);
  return distinctTables([
    ...tables.map(({ schema, table }) => ({ schema, table })),
    ...datasets.map(({ name }) => ({ schema: '', table: name })),
  ]);
}

/** What checking the rights of a reader needs; it reads nothing but the table. */
export interface RightsReadDeps {
  charts: Pick<RightsClassDeps['charts'], 'rights'>;
}

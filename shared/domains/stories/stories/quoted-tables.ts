import { DATASETS, type SourcePlace } from '../../semantics/models/index.ts';
import type { RightsDeps } from '../../semantics/row-rights/index.ts';
import { datasetRepository } from '../../warehouse/datasets/index.ts';

/** A table that a text may quote. Datasets are found by their id too, because they can be renamed. */
export interface QuotedTable extends SourcePlace {
  datasetId?: string;
}

/** The tables of one source whose rows a text may quote; `all` if they are not known. */
export interface TextSource {
  sourceId: string;
  tables: readonly QuotedTable[] | 'all';
  /** The ids of the models through which they are read, sorted. */
  models: readonly string[];
}

/**
 * The tables whose rows a text may quote, as they were resolved when it was written; null if that was not possible. A
 * text may quote the rows of a live block after the block is removed, or its card shows other data.
 */
export type TextReads = readonly TextSource[] | null;

/** Of tables and models. For more, the rights of a reader take too long to find. */
const MAX_READS = 500;

/** What either of two texts reads. */
export function joinReads(one: TextReads, other: TextReads): TextReads {
  if (one === null || other === null) return null;
  const sources = new Map<string, TextSource>();
  for (const { sourceId, tables, models } of [...one, ...other]) {
    const known = sources.get(sourceId) ?? { tables: [], models: [] };
    const joined = known.tables === 'all' || tables === 'all' ? 'all' : distinctTables([...known.tables, ...tables]);
    sources.set(sourceId, { sourceId, tables: joined, models: [...new Set([...known.models, ...models])].sort() });
  }
  const joined = [...sources.values()].sort((a, b) => (a.sourceId < b.sourceId ? -1 : 1));
  const count = joined.reduce(
    (sum, { tables, models }) => sum + (tables === 'all' ? 1 : tables.length) + models.length,
    0,
  );
  return count > MAX_READS ? null : joined;
}

const nameOf = ({ schema, table, datasetId = '' }: QuotedTable): string => JSON.stringify([schema, table, datasetId]);

export const distinctTables = (tables: readonly QuotedTable[]): QuotedTable[] =>
  [...new Map(tables.map((each) => [nameOf(each), each])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => each);

export const isSameReads = (one: TextReads, other: TextReads): boolean => textOf(one) === textOf(other);

const textOf = (reads: TextReads): string =>
  JSON.stringify(
    reads?.map(({ sourceId, tables, models }) => [sourceId, tables === 'all' ? tables : tables.map(nameOf), models]) ??
      null,
  );

/** The tables under their present names. Former ones count too: a policy may still name them. */
export async function presentTables(
  { charts }: RightsReadDeps,
  workspaceId: string,
  { sourceId, tables }: Pick<TextSource, 'sourceId' | 'tables'>,
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
  charts: { rights: RightsDeps };
}

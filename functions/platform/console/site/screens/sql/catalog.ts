import { allOf, PAGE } from '../../data/all.ts';
import { api } from '../../data/client.ts';
import { type Query, queries, useQuery } from '../../data/query.ts';
import type { CatalogColumn, CatalogTable } from './catalog-table.ts';

export type { CatalogColumn, CatalogTable };

/** Enough to complete; what is beyond is reached by the search of the API. */
export const MAX_TABLES = 5_000;
const FRESH_MS = 120_000;

queries.setQueryDefaults(['sql', 'catalog'], {
  staleTime: FRESH_MS,
  refetchOnWindowFocus: false,
  // To compare thousands of tables with those before takes longer than to draw the few in sight.
  structuralSharing: false,
});

export const catalogKey = (sourceId: string | null) => ['sql', 'catalog', sourceId ?? 'datasets'];

/** The tables that statements can read; at first, those of the first page. */
export const useCatalog = (sourceId: string | null): Query<CatalogTable[]> =>
  useQuery(catalogKey(sourceId), () => (sourceId === null ? datasets() : sourceTables(sourceId)));

async function datasets(): Promise<CatalogTable[]> {
  const found: CatalogTable[] = [];
  for await (const page of api.datasets.list({ sort: 'name', limit: PAGE }).pages()) {
    for (const { name, columns, rowCount } of page.items) found.push({ name, columns, rowCount });
    if (found.length >= MAX_TABLES) break;
    if (page.nextCursor) showFirst(null, found);
  }
  return found;
}

/** Shows the first page while the others are read. */
function showFirst(sourceId: string | null, found: readonly CatalogTable[]): void {
  queries.setQueryData<CatalogTable[]>(catalogKey(sourceId), (known) => known ?? [...found]);
}

async function sourceTables(sourceId: string): Promise<CatalogTable[]> {
  const { items: schemas } = await api.dataSources.listSchemas(sourceId);
  const found: CatalogTable[] = [];
  for (const { name: schema } of schemas) {
    let after: string | undefined;
    do {
      const { items, next } = await api.dataSources.listTables(sourceId, {
        schema,
        limit: PAGE,
        ...(after !== undefined && { after }),
      });
      for (const { name, estimatedRows = null } of items)
        found.push({ schema, name, rowCount: estimatedRows, isEstimated: true });
      after = next ?? undefined;
      if (after !== undefined) showFirst(sourceId, found);
    } while (after !== undefined && found.length < MAX_TABLES);
  }
  return found;
}

/** Reads the columns of a table of a database, for the tree and the completion. */
export async function readColumns(sourceId: string, { schema, name }: CatalogTable): Promise<void> {
  const { items } = await api.dataSources.listColumns(sourceId, { ...(schema && { schema }), table: name });
  const columns = items.map(({ name: column, type }) => ({ name: column, type }));
  queries.setQueryData<CatalogTable[]>(catalogKey(sourceId), (tables) =>
    tables?.map((table) => (table.schema === schema && table.name === name ? { ...table, columns } : table)),
  );
}

/** The databases that statements can read in place. */
export const useDatabases = () =>
  useQuery(['sql', 'databases'], async () => {
    const sources = await allOf(api.dataSources.list({ limit: PAGE }));
    return sources.filter(({ type }) => type === 'postgres' || type === 'mysql');
  });

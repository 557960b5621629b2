import type { Table } from '../../../platform/storage/table.ts';
import type { CardDeps } from '../../boards/cards/index.ts';
import { dashboardStore, dashboardVersions, type ReaderDeps } from '../../boards/dashboards/index.ts';
import { type BlendDeps, blendRepository } from '../../semantics/blends/index.ts';
import { metricRepository } from '../../semantics/metrics/index.ts';
import { findLiveSource, type QueryDeps } from '../../semantics/queries/index.ts';
import { rightsDeps } from '../../semantics/row-rights/index.ts';
import { savedQueryRepository } from '../../semantics/saved-queries/index.ts';
import { grantReader } from '../../tenancy/grants/index.ts';
import { datasetRepository } from '../../warehouse/datasets/index.ts';
import { dataSourceRepository } from '../../warehouse/sources/index.ts';

/** What the conditions of alerts are read with. */
export type AlertReadDeps = CardDeps;

/** What their sources are found with, which reads no rows. */
export type AlertOpenDeps = ReaderDeps &
  Pick<
    AlertReadDeps,
    'rights' | 'definitions' | 'datasets' | 'savedQueries' | 'metrics' | 'blends' | 'readTables' | 'now'
  > & {
    live: Pick<QueryDeps['live'], 'find'>;
  };

/** The same where only the table is at hand, for what people are shown of earlier evaluations. */
export function openedFrom(table: Table): AlertOpenDeps {
  const rights = rightsDeps(table, table.now);
  const sources = dataSourceRepository(table);
  return {
    rights,
    definitions: rights.definitions,
    datasets: datasetRepository(table),
    savedQueries: savedQueryRepository(table).queries,
    metrics: metricRepository(table),
    blends: blendRepository(table),
    // Classes of a data source count everything that is protected there, so that its catalogue need not be read.
    readTables: async () => undefined,
    live: { find: (workspaceId, sourceId) => findLiveSource(sources, workspaceId, sourceId) },
    store: dashboardStore(table),
    versions: dashboardVersions(table),
    grantOf: grantReader(table, 'dashboard'),
    now: table.now,
  };
}

/** The clients of a function with which rows are read. */
export const readingWith = (table: Table, questions: BlendDeps): AlertReadDeps => ({
  ...openedFrom(table),
  ...questions,
});

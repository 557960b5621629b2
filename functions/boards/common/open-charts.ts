import type { ChartDeps } from '../../../shared/domains/boards/charts/index.ts';
import { blendFunction, blendRepository } from '../../../shared/domains/semantics/blends/index.ts';
import { metricRepository } from '../../../shared/domains/semantics/metrics/index.ts';
import { sourceTables } from '../../../shared/domains/semantics/models/index.ts';
import { openQueries } from '../../../shared/domains/semantics/queries/index.ts';
import { savedQueryRepository } from '../../../shared/domains/semantics/saved-queries/index.ts';
import { environment, type OpenGroup } from '../../../shared/platform/http/open-group.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';

/** What the functions that read the rows of charts need. */
export function openCharts(group: OpenGroup): ChartDeps {
  const { table } = group;
  const queries = openQueries(group);
  return {
    ...queries,
    definitions: queries.rights.definitions,
    readTables: sourceTables(table, objectStore(environment('DATA_BUCKET'))),
    savedQueries: savedQueryRepository(table).queries,
    metrics: metricRepository(table),
    blends: blendRepository(table),
    runBlend: blendFunction(environment('BLEND_FUNCTION')),
  };
}

import { dashboardStore, dashboardVersions } from '../../../../../shared/domains/boards/dashboards/index.ts';
import type { ExportDeps } from '../../../../../shared/domains/boards/exports/index.ts';
import { themeRepository } from '../../../../../shared/domains/boards/themes/index.ts';
import { blendFunction, blendRepository } from '../../../../../shared/domains/semantics/blends/index.ts';
import { metricRepository } from '../../../../../shared/domains/semantics/metrics/index.ts';
import { sourceTables } from '../../../../../shared/domains/semantics/models/index.ts';
import { openQueries } from '../../../../../shared/domains/semantics/queries/index.ts';
import { savedQueryRepository } from '../../../../../shared/domains/semantics/saved-queries/index.ts';
import { grantReader } from '../../../../../shared/domains/tenancy/grants/index.ts';
import { environment } from '../../../../../shared/platform/http/open-group.ts';
import type { DashboardExportWorker } from './dashboard-export-worker.ts';

/** What exports of dashboards read and write with. */
export function openExports({ table, master, objects }: DashboardExportWorker): ExportDeps {
  const queries = openQueries({ table, master, now: table.now });
  return {
    ...queries,
    definitions: queries.rights.definitions,
    readTables: sourceTables(table, objects),
    savedQueries: savedQueryRepository(table).queries,
    metrics: metricRepository(table),
    blends: blendRepository(table),
    runBlend: blendFunction(environment('BLEND_FUNCTION')),
    store: dashboardStore(table),
    versions: dashboardVersions(table),
    grantOf: grantReader(table, 'dashboard'),
    themes: themeRepository(table),
    objects,
  };
}

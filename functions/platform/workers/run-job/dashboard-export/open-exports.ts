import { dashboardStore, dashboardVersions } from '../../../../../shared/domains/boards/dashboards/index.ts';
import type { ExportDeps } from '../../../../../shared/domains/boards/exports/index.ts';
import { themeRepository } from '../../../../../shared/domains/boards/themes/index.ts';
import { engineBy } from '../../../../../shared/domains/engine/index.ts';
import { blendFunction, blendRepository } from '../../../../../shared/domains/semantics/blends/index.ts';
import { metricRepository } from '../../../../../shared/domains/semantics/metrics/index.ts';
import { sourceTables } from '../../../../../shared/domains/semantics/models/index.ts';
import { openQueries, QUERY_JOB_LIMITS } from '../../../../../shared/domains/semantics/queries/index.ts';
import { savedQueryRepository } from '../../../../../shared/domains/semantics/saved-queries/index.ts';
import { grantReader } from '../../../../../shared/domains/tenancy/grants/index.ts';
import { environment } from '../../../../../shared/platform/http/open-group.ts';
import type { DashboardExportWorker } from './dashboard-export-worker.ts';
import type { RunStatement } from './run-statement.ts';

/** The function that joins blends has the limits of a request. */
const MAX_BLEND_MS = 25_000;

/** What exports of dashboards read and write with; `run` runs the statements over datasets. */
export function openExports({ table, master, objects }: DashboardExportWorker, run: RunStatement): ExportDeps {
  const queries = openQueries({ table, master, now: table.now });
  const { query, file } = engineBy((request) => run(request as Parameters<RunStatement>[0]));
  const runBlend = blendFunction(environment('BLEND_FUNCTION'));
  return {
    ...queries,
    engine: { ...queries.engine, query, file },
    maxMs: QUERY_JOB_LIMITS.timeoutMs,
    definitions: queries.rights.definitions,
    readTables: sourceTables(table, objects),
    savedQueries: savedQueryRepository(table).queries,
    metrics: metricRepository(table),
    blends: blendRepository(table),
    runBlend: (request) => runBlend({ ...request, timeoutMs: Math.min(request.timeoutMs, MAX_BLEND_MS) }),
    store: dashboardStore(table),
    versions: dashboardVersions(table),
    grantOf: grantReader(table, 'dashboard'),
    themes: themeRepository(table),
    objects,
  };
}

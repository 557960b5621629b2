import { dashboardStore, dashboardVersions } from '../../../shared/domains/boards/dashboards/index.ts';
import { reportRepository } from '../../../shared/domains/boards/reports/index.ts';
import { engineFunction } from '../../../shared/domains/engine/index.ts';
import {
  auditedIssues,
  auditedSuggestions,
  readPublishGate,
  scanRepository,
  scanScheduleRepository,
  showTest,
  testRepository,
  updatePublishGate,
} from '../../../shared/domains/quality/index.ts';
import { blendRepository } from '../../../shared/domains/semantics/blends/index.ts';
import { metricRepository } from '../../../shared/domains/semantics/metrics/index.ts';
import { sourceTables } from '../../../shared/domains/semantics/models/index.ts';
import { rightsDeps } from '../../../shared/domains/semantics/row-rights/index.ts';
import { savedQueryRepository } from '../../../shared/domains/semantics/saved-queries/index.ts';
import { grantReader } from '../../../shared/domains/tenancy/grants/index.ts';
import { readMembers } from '../../../shared/domains/tenancy/workspaces/index.ts';
import { datasetRepository } from '../../../shared/domains/warehouse/datasets/index.ts';
import { dataSourceRepository } from '../../../shared/domains/warehouse/sources/index.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { jobQueue } from '../../../shared/platform/jobs/queue.ts';
import { jobRepository } from '../../../shared/platform/jobs/repository.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { showingDefinitions } from '../../catalog/common/showing-definitions.ts';
import * as issues from './issues/routes.ts';
import { findIssue, listIssues, setIssueStatus, summarizeIssues } from './issues/use-cases.ts';
import * as runs from './runs/routes.ts';
import { getJob, listTestRuns, runAllTests, runTest } from './runs/run-tests.ts';
import * as scanSchedules from './scan-schedules/routes.ts';
import {
  createScanSchedule,
  deleteScanSchedule,
  getScanSchedule,
  listScanSchedules,
  updateScanSchedule,
} from './scan-schedules/use-cases.ts';
import { getScan, listScans, profilesOfScan, profilesOfTable } from './scans/read-scans.ts';
import * as scans from './scans/routes.ts';
import { scanKnownTables, startScan } from './scans/start-scan.ts';
import { summarizeAnomalies } from './scans/summarize-anomalies.ts';
import { freshnessPage } from './scores/freshness.ts';
import { reportStatus } from './scores/report-status.ts';
import * as scores from './scores/routes.ts';
import { tableScores, workspaceScore } from './scores/use-cases.ts';
import * as suggestions from './suggestions/routes.ts';
import { applySuggestion, dismissSuggestion, listSuggestions } from './suggestions/use-cases.ts';
import { deleteTest } from './tests/delete-test.ts';
import { findTest, listTestPage } from './tests/find-test.ts';
import * as tests from './tests/routes.ts';
import { createTest, updateTest } from './tests/save-test.ts';
import { storeFailingRows } from './tests/store-failing-rows.ts';

const group = openGroup('data-quality');
const { table, now } = group;
const rights = rightsDeps(table, now);
const objects = objectStore(environment('DATA_BUCKET'));
const deps = {
  table,
  objects,
  scans: scanRepository(table),
  scanSchedules: scanScheduleRepository(table),
  tests: testRepository(table),
  datasets: datasetRepository(table),
  sources: dataSourceRepository(table),
  readTables: sourceTables(table, objects),
  definitions: rights.definitions,
  engine: engineFunction(environment('ENGINE_FUNCTION')),
  rights,
  savedQueries: savedQueryRepository(table).queries,
  metrics: metricRepository(table),
  blends: blendRepository(table),
  store: dashboardStore(table),
  versions: dashboardVersions(table),
  grantOf: grantReader(table, 'dashboard'),
  reportReader: { reports: reportRepository(table), grantOf: grantReader(table, 'report') },
  issues: auditedIssues(table),
  suggestions: auditedSuggestions(table),
  jobs: { jobs: jobRepository(table), queue: jobQueue(environment('JOB_QUEUE_URL')), now },
  isMember: async (workspaceId: string, userId: string) =>
    (await readMembers(table, workspaceId, [userId])).has(userId),
  pause: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  now,
};

export const handler = endpointGroup(
  [
    bind(tests.listQualityTests, ({ principal: { workspaceId }, query }) => listTestPage(deps, workspaceId, query)),
    bind(tests.createQualityTest, ({ principal, body, newId }) =>
      createTest(deps, { id: newId, principal, test: body }),
    ),
    bind(tests.getQualityTest, async ({ principal: { workspaceId }, params: { id } }) =>
      showTest(await findTest(deps, { workspaceId, id })),
    ),
    bind(tests.updateQualityTest, ({ principal, params: { id }, body }) =>
      updateTest(deps, { id, principal, change: body }),
    ),
    bind(tests.deleteQualityTest, ({ principal: { workspaceId }, params: { id } }) =>
      deleteTest(deps, { workspaceId, id }),
    ),
    bind(scans.listQualityScans, ({ principal: { workspaceId }, query }) => listScans(deps, workspaceId, query)),
    bind(scans.startQualityScan, ({ principal, body, newId }) => startScan(deps, { id: newId, principal, scan: body })),
    bind(scans.scanKnownTables, ({ principal }) => scanKnownTables(deps, principal)),
    bind(scans.getQualityScan, ({ principal: { workspaceId }, params: { scanId } }) =>
      getScan(deps, { workspaceId, scanId }),
    ),
    bind(scans.getScanProfiles, ({ principal, params: { scanId }, query }) =>
      profilesOfScan(deps, { principal, scanId, query }),
    ),
    bind(scans.getTableProfiles, ({ principal, params: { tableName }, query }) =>
      profilesOfTable(deps, { principal, tableName, query }),
    ),
    bind(scans.getAnomalySummary, ({ principal, query }) => summarizeAnomalies(deps, principal, query)),

    bind(scanSchedules.listScanSchedules, ({ principal: { workspaceId }, query }) =>
      listScanSchedules(deps, workspaceId, query),
    ),
    bind(scanSchedules.createScanSchedule, ({ principal, body, newId }) =>
      createScanSchedule(deps, { id: newId, principal, given: body }),
    ),
    bind(scanSchedules.getScanSchedule, ({ principal: { workspaceId }, params: { id } }) =>
      getScanSchedule(deps, { workspaceId, id }),
    ),
    bind(scanSchedules.updateScanSchedule, ({ principal, params: { id }, body }) =>
      updateScanSchedule(deps, { id, principal, change: body }),
    ),
    bind(scanSchedules.deleteScanSchedule, ({ principal: { workspaceId }, params: { id } }) =>
      deleteScanSchedule(deps, { workspaceId, id }),
    ),

    bind(runs.runQualityTest, ({ principal, params: { id }, newId }) => runTest(deps, { id, principal, jobId: newId })),
    bind(runs.listQualityTestRuns, ({ principal, params: { id }, query: { limit } }) =>
      listTestRuns(deps, { id, principal, limit }),
    ),
    bind(runs.storeFailingRows, ({ principal, params: { id }, body: { limit }, newId }) =>
      storeFailingRows(deps, { id, principal, jobId: newId, limit }),
    ),
    bind(runs.runAllQualityTests, ({ principal, newId }) => runAllTests(deps, { principal, jobId: newId })),
    bind(runs.getQualityJob, ({ principal: { workspaceId }, params: { id } }) => getJob(deps, { workspaceId, id })),

    bind(suggestions.listQualitySuggestions, ({ principal, query }) => listSuggestions(deps, principal, query)),
    bind(suggestions.applyQualitySuggestion, ({ principal, params: { id } }) =>
      applySuggestion(deps, { id, principal }),
    ),
    bind(suggestions.dismissQualitySuggestion, ({ principal, params: { id } }) =>
      dismissSuggestion(deps, { id, principal }),
    ),

    bind(issues.listQualityIssues, ({ principal: { workspaceId }, query }) => listIssues(deps, workspaceId, query)),
    bind(issues.summarizeQualityIssues, ({ principal: { workspaceId } }) => summarizeIssues(deps, workspaceId)),
    bind(issues.getQualityIssue, ({ principal: { workspaceId }, params: { id } }) =>
      findIssue(deps, { workspaceId, id }),
    ),
    bind(issues.setQualityIssueStatus, ({ principal: { workspaceId, userId: by }, params: { id }, body }) =>
      setIssueStatus(deps, { workspaceId, id, by, ...body }),
    ),

    bind(scores.getQualityScore, ({ principal: { workspaceId } }) => workspaceScore(deps, workspaceId)),
    bind(scores.listQualityTableScores, ({ principal: { workspaceId }, query }) =>
      tableScores(deps, workspaceId, query),
    ),
    bind(scores.listQualityFreshness, ({ principal, query }) => freshnessPage(deps, principal, query)),
    bind(scores.getPublishGate, ({ principal: { workspaceId } }) => readPublishGate(table, workspaceId)),
    bind(scores.updatePublishGate, ({ principal: { workspaceId, userId: by }, body: { minScore } }) =>
      updatePublishGate(deps, { workspaceId, minScore, by }),
    ),
    bind(scores.getQualityReportStatus, ({ principal, query }) => reportStatus(deps, principal, query)),
  ],
  showingDefinitions(group, 'quality-test'),
);

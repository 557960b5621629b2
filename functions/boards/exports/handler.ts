import { LIVE_CARD_MAX_AGE_SECONDS, seenParts } from '../../../shared/domains/boards/cards/index.ts';
import { dashboardStore, dashboardVersions } from '../../../shared/domains/boards/dashboards/index.ts';
import {
  type ExportDeps,
  type ExportedFile,
  type ExportFormat,
  exportDashboard,
  exportReport,
  previewImages,
} from '../../../shared/domains/boards/exports/index.ts';
import { type ReportReaderDeps, reportRepository } from '../../../shared/domains/boards/reports/index.ts';
import { themeRepository } from '../../../shared/domains/boards/themes/index.ts';
import { downloadLinks } from '../../../shared/domains/semantics/queries/index.ts';
import {
  drawingQuota,
  linkedContents,
  linkResolver,
  queryQuota,
} from '../../../shared/domains/sharing/shares/index.ts';
import { exportStory, type StoryExportDeps } from '../../../shared/domains/stories/exports/index.ts';
import { snapshotStore } from '../../../shared/domains/stories/snapshots/index.ts';
import { storyStore, storyVersions } from '../../../shared/domains/stories/stories/index.ts';
import { grantReader } from '../../../shared/domains/tenancy/grants/index.ts';
import { assertMayExport, readWorkspace } from '../../../shared/domains/tenancy/workspaces/index.ts';
import { recordAct } from '../../../shared/platform/audit/entry.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { bind, bindPublic } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { Redirect } from '../../../shared/platform/http/redirect.ts';
import { jobQueue } from '../../../shared/platform/jobs/queue.ts';
import { jobRepository } from '../../../shared/platform/jobs/repository.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { openCharts } from '../common/open-charts.ts';
import * as previewRoutes from './previews/routes.ts';
import { type PreviewDeps, showPreview } from './previews/show-preview.ts';
import * as routes from './routes.ts';
import {
  cancelDashboardExport,
  type ExportJobDeps,
  getDashboardExport,
  startDashboardExport,
} from './use-cases/export-jobs.ts';
import { exportReply } from './use-cases/export-reply.ts';

const group = openGroup('exports');
const { table } = group;
const bucket = environment('DATA_BUCKET');
const objects = objectStore(bucket);
const charts = openCharts(group);
const deps: ExportDeps = {
  ...charts,
  store: dashboardStore(table),
  versions: dashboardVersions(table),
  grantOf: grantReader(table, 'dashboard'),
  themes: themeRepository(table),
  objects,
};
const reports: ReportReaderDeps = { reports: reportRepository(table), grantOf: grantReader(table, 'report') };
const stories: StoryExportDeps = {
  ...deps,
  snapshots: snapshotStore(table),
  dashboardFor: (principal, id) => seenParts(deps, { principal, id }),
  stories: {
    store: storyStore(table),
    versions: storyVersions(table),
    grantOf: grantReader(table, 'story'),
    charts,
    sources: { dashboards: deps.store, dashboardVersions: deps.versions },
  },
};
const links = downloadLinks(bucket, group.now);
const content = linkedContents(table);
const replies = { links, objects, newId: charts.newId };
/** Reads cards as the readers of links do, so that they share cached rows. */
const previews: PreviewDeps = {
  ...charts,
  liveMaxAgeSeconds: LIVE_CARD_MAX_AGE_SECONDS,
  content,
  snapshots: content.snapshots,
  resolve: linkResolver(table),
  themes: deps.themes,
  queryQuota: queryQuota(table),
  drawingQuota: drawingQuota(table),
  previews: previewImages(objects),
  links,
};

const mayExport = (principal: Principal) => assertMayExport({ workspace: (id) => readWorkspace(table, id) }, principal);

const jobDeps: ExportJobDeps = {
  table,
  exports: deps,
  jobs: { jobs: jobRepository(table), queue: jobQueue(environment('JOB_QUEUE_URL')), now: group.now },
  objects,
  links,
  mayExport,
};

/** Logs the export, and returns the file or a link to it. */
async function exported(
  type: 'dashboard' | 'report' | 'story',
  { source, ...file }: ExportedFile,
  { principal, format, accepted }: { principal: Principal; format: ExportFormat; accepted: string },
) {
  const after = { format, failedCards: file.failedCards };
  await recordAct(table, { action: `${type}.exported`, object: { type, ...source }, after });
  return exportReply(replies, file, { workspaceId: principal.workspaceId, accepted });
}

export const handler = endpointGroup(
  [
    bind(routes.exportDashboard, async ({ principal, params: { id }, body, contentType, log }) => {
      await mayExport(principal);
      const onError = (error: unknown) => log.error('a card cannot be exported', error as Error);
      const command = { ...body, principal, dashboardId: id, onError };
      const file = await exportDashboard(deps, command);
      return exported('dashboard', file, { principal, format: body.format, accepted: contentType });
    }),
    bind(routes.startDashboardExport, ({ principal, params: { id }, body, newId }) =>
      startDashboardExport(jobDeps, { ...body, principal, dashboardId: id, jobId: newId }),
    ),
    bind(routes.getDashboardExport, ({ principal, params: { id, jobId } }) =>
      getDashboardExport(jobDeps, { principal, dashboardId: id, id: jobId }),
    ),
    bind(routes.cancelDashboardExport, ({ principal, params: { id, jobId } }) =>
      cancelDashboardExport(jobDeps, { principal, dashboardId: id, id: jobId }),
    ),
    bind(routes.exportReport, async ({ principal, params: { id }, body, contentType, log }) => {
      await mayExport(principal);
      const onError = (error: unknown) => log.error('a block cannot be exported', error as Error);
      const command = { ...body, principal, reportId: id, onError };
      const file = await exportReport({ ...deps, ...reports }, command);
      return exported('report', file, { principal, format: body.format, accepted: contentType });
    }),
    bind(routes.exportStory, async ({ principal, params: { id }, body, contentType, log }) => {
      await mayExport(principal);
      const onError = (error: unknown) => log.error('a part of a story cannot be exported', error as Error);
      const file = await exportStory(stories, { ...body, principal, storyId: id, onError });
      return exported('story', file, { principal, format: body.format, accepted: contentType });
    }),
    bindPublic(
      previewRoutes.getSharePreviewImage,
      async ({ params: { token } }) => new Redirect(await showPreview(previews, token)),
    ),
  ],
  group,
);

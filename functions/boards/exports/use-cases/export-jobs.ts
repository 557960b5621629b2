import { seenParts, wantedCards } from '../../../../shared/domains/boards/cards/index.ts';
import {
  type ExportDeps,
  type ExportJobCommand,
  type ExportJobReport,
  exportJobKeys,
  exportRights,
} from '../../../../shared/domains/boards/exports/index.ts';
import type { DownloadLinks } from '../../../../shared/domains/semantics/queries/index.ts';
import { auditItems } from '../../../../shared/platform/audit/entry.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { cancelJob, type JobContext, startJob } from '../../../../shared/platform/jobs/jobs.ts';
import { type Job, type StoredJob, showJob } from '../../../../shared/platform/jobs/record.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { DashboardExportJob, StartDashboardExport } from '../schemas.ts';

export interface ExportJobDeps {
  table: Table;
  exports: ExportDeps;
  jobs: JobContext;
  objects: Pick<ObjectStore, 'read' | 'write'>;
  links: DownloadLinks;
  /** Throws `EXPORT_TURNED_OFF`. */
  mayExport(principal: Principal): Promise<void>;
}

interface Named {
  principal: Principal;
  dashboardId: string;
}

/** All workspaces share twenty workers; no workspace may occupy most of them. */
const MAX_ACTIVE = 5;

/** Starts a job that writes a file. Throws the not-found errors of the dashboard, its pages and its cards. */
export async function startDashboardExport(
  { table, exports, jobs, objects, mayExport }: ExportJobDeps,
  { principal, dashboardId, jobId: id, ...body }: StartDashboardExport & Named & { jobId: string },
): Promise<DashboardExportJob> {
  await mayExport(principal);
  const { workspaceId, kind, userId, companyId, credentialId, membershipId } = principal;
  const parts = await seenParts(exports, { principal, id: dashboardId });
  wantedCards(parts, body);
  if ((await jobs.jobs.active(workspaceId, 'dashboard_export')) >= MAX_ACTIVE)
    throw new AppError('TOO_MANY_EXPORT_JOBS', { retryAfterSeconds: 10 });
  const caller = { kind, userId, companyId, credentialId, membershipId };
  const command: ExportJobCommand = { ...body, dashboardId, caller };
  await objects.write(exportJobKeys(workspaceId, id).command, Buffer.from(JSON.stringify(command)), 'application/json');
  const logged = await auditItems(table, {
    action: 'dashboard.exported',
    object: { type: 'dashboard', id: dashboardId, name: parts.name },
    after: { format: body.format, jobId: id },
  });
  const trigger = { kind: 'manual', scheduledAt: null, actor: userId } as const;
  const job = { id, workspaceId, kind: 'dashboard_export', subjectId: id, trigger, input: { dashboardId } } as const;
  return { ...showJob(await startJob(jobs, job, 'JOB_ACTIVE', logged)), file: null };
}

/**
 * The job, with a link to its file for the person who started it. Throws `FORBIDDEN` if this person no longer has the
 * rights with which the rows were read.
 */
export async function getDashboardExport(
  deps: ExportJobDeps,
  named: Named & { id: string },
): Promise<DashboardExportJob> {
  const { principal, dashboardId } = named;
  await deps.mayExport(principal);
  const job = await findExport(deps, named);
  if (job.status !== 'succeeded') return { ...showJob(job), file: null };
  const keys = exportJobKeys(job.workspaceId, job.id);
  const report = JSON.parse((await deps.objects.read(keys.report)).toString('utf8')) as ExportJobReport;
  const { key, fileName, bytes, contentType, sources, rights } = report;
  if ((await exportRights(deps.exports, principal, { dashboardId, sources })) !== rights)
    throw new AppError('FORBIDDEN', {
      detail: 'The file was written with other permissions than you have now. Start the export again.',
    });
  return { ...showJob(job), file: { ...(await deps.links.sign(key, fileName)), bytes, contentType } };
}

export const cancelDashboardExport = async (deps: ExportJobDeps, named: Named & { id: string }): Promise<Job> =>
  showJob(await cancelJob(deps.jobs, await findExport(deps, named)));

/** Throws `JOB_NOT_FOUND`, also for the job of another person, and `DASHBOARD_NOT_FOUND`. */
async function findExport(
  { exports, jobs }: ExportJobDeps,
  { principal, dashboardId, id }: Named & { id: string },
): Promise<StoredJob> {
  await seenParts(exports, { principal, id: dashboardId });
  const job = await jobs.jobs.get(principal.workspaceId, id);
  const isOwn =
    job?.kind === 'dashboard_export' && job.input.dashboardId === dashboardId && job.trigger.actor === principal.userId;
  if (!isOwn) throw new AppError('JOB_NOT_FOUND');
  return job;
}

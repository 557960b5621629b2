import type { DownloadLinks } from '../../../../shared/domains/semantics/queries/index.ts';
import { classOfDatasets, rightsDeps } from '../../../../shared/domains/semantics/row-rights/index.ts';
import { type ExportResult, exportKey } from '../../../../shared/domains/tenancy/workspace-exports/index.ts';
import { ofRecord, type WorkspaceRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { auditItems, recordAct } from '../../../../shared/platform/audit/entry.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { cancelJob, type JobContext, startJob } from '../../../../shared/platform/jobs/jobs.ts';
import { type Job, type StoredJob, showJob } from '../../../../shared/platform/jobs/record.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { WorkspaceRepository } from '../repository.ts';

export interface ExportDeps {
  table: Table;
  workspaces: Pick<WorkspaceRepository, 'workspace'>;
  jobs: JobContext;
  links: DownloadLinks;
}

const ZIP = 'application/zip';

/** Throws `JOB_ACTIVE` while another export of the workspace is running. */
export async function startWorkspaceExport(
  { table, workspaces, jobs }: ExportDeps,
  { workspaceId, userId: actor }: Principal,
  { id, datasetRows = true }: { id: string; datasetRows?: boolean },
): Promise<Job> {
  const logged = await auditItems(table, {
    ...ofRecord(await presentWorkspace(workspaces, workspaceId)),
    action: 'workspace.exported',
    after: { exportId: id, datasetRows },
  });
  const trigger = { kind: 'manual', scheduledAt: null, actor } as const;
  const job = { id, workspaceId, kind: 'workspace_export', subjectId: workspaceId, trigger } as const;
  return showJob(await startJob(jobs, { ...job, input: { datasetRows } }, 'JOB_ACTIVE', logged));
}

interface Named {
  workspaceId: string;
  id: string;
}

export const getWorkspaceExport = async (deps: ExportDeps, named: Named): Promise<Job> =>
  showExport(await findExport(deps, named));

export const cancelWorkspaceExport = async (deps: ExportDeps, named: Named): Promise<Job> =>
  showExport(await cancelJob(deps.jobs, await findExport(deps, named)));

function showExport(job: StoredJob): Job {
  const shown = showJob(job);
  if (!shown.result) return shown;
  const { rights: _rights, ...result } = shown.result as ExportResult;
  return { ...shown, result };
}

/** A link to the archive, for the person whose rights to rows it was made with, while these are the rights. */
export async function getWorkspaceExportFile(deps: ExportDeps, principal: Principal, id: string) {
  const { workspaceId, userId } = principal;
  const job = await findExport(deps, { workspaceId, id });
  if (job.trigger.actor !== userId)
    throw new AppError('FORBIDDEN', { detail: 'Another admin started the export. Start one of your own.' });
  if (job.status !== 'succeeded')
    throw new AppError('WORKSPACE_EXPORT_NOT_READY', { detail: `The export is ${job.status}.` });
  const workspace = await presentWorkspace(deps.workspaces, workspaceId);
  const { bytes, rights } = job.result as ExportResult;
  if (rights !== (await classOfDatasets(rightsDeps(deps.table, deps.jobs.now), principal)))
    throw new AppError('FORBIDDEN', {
      detail: 'The rows that you may see have changed since the export started. Start another one.',
    });
  const link = await deps.links.sign(exportKey(job), `${workspace.name}.zip`);
  const change = { action: 'workspace.export_downloaded', after: { exportId: id } } as const;
  await recordAct(deps.table, { ...ofRecord(workspace), ...change });
  return { ...link, bytes, contentType: ZIP };
}

/** A workspace that is erased ends every sign-in to it. */
async function presentWorkspace(workspaces: ExportDeps['workspaces'], id: string): Promise<WorkspaceRecord> {
  const workspace = await workspaces.workspace(id);
  if (!workspace) throw new AppError('UNAUTHENTICATED');
  return workspace;
}

async function findExport({ jobs }: ExportDeps, { workspaceId, id }: Named): Promise<StoredJob> {
  const job = await jobs.jobs.get(workspaceId, id);
  if (job?.kind !== 'workspace_export') throw new AppError('JOB_NOT_FOUND');
  return job;
}

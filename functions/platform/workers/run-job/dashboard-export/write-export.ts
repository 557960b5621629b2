import {
  type ExportedFile,
  type ExportJobCommand,
  type ExportJobReport,
  type ExportJobResult,
  exportDashboard,
  exportedSources,
  exportJobKeys,
  exportRights,
} from '../../../../../shared/domains/boards/exports/index.ts';
import { QUERY_JOB_LIMITS } from '../../../../../shared/domains/semantics/queries/index.ts';
import {
  assertMayExport,
  memberPrincipal,
  readWorkspace,
} from '../../../../../shared/domains/tenancy/workspaces/index.ts';
import { principalOfKeyId } from '../../../../../shared/platform/auth/authenticate.ts';
import { isPermitted } from '../../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import type { StoredJob } from '../../../../../shared/platform/jobs/record.ts';
import type { ObjectStore } from '../../../../../shared/platform/objects/object-store.ts';
import { JobFailure } from '../job-kind.ts';
import type { DashboardExportWorker, WrittenExport } from './dashboard-export-worker.ts';
import { openExports } from './open-exports.ts';
import type { RunStatement } from './run-statement.ts';

interface JobLimits {
  /** Ends the export. */
  signal: AbortSignal;
  /** Runs the statements of its cards. */
  run: RunStatement;
}

/** The invocation has fifteen minutes, in which the file must be stored, too. */
const TIMEOUT_MS = 13 * 60 * 1000;

/**
 * Writes the file of a job. The file appears whole or not at all: the report, which names it, comes last. Errors for
 * the person who started the job are returned, because the worker, which is another bundle, has other classes of them.
 */
export async function writeExport(
  worker: DashboardExportWorker,
  job: StoredJob,
  limits: JobLimits,
): Promise<WrittenExport> {
  try {
    return { result: await writtenFile(worker, job, limits) };
  } catch (error) {
    if (error instanceof AppError || error instanceof JobFailure)
      return { failure: { code: error.code, message: error.message } };
    throw error;
  }
}

async function writtenFile(
  worker: DashboardExportWorker,
  job: StoredJob,
  { signal, run }: JobLimits,
): Promise<ExportJobResult> {
  const objects = worker.objects.within(signal);
  const exports = openExports(worker, run);
  const keys = exportJobKeys(job.workspaceId, job.id);
  const command = JSON.parse((await objects.read(keys.command)).toString('utf8')) as ExportJobCommand;
  const { caller: _caller, dashboardId, ...options } = command;
  const principal = await callerNow(worker, job, command);
  const sources = await exportedSources(exports, principal, command);
  const rights = await exportRights(exports, principal, { dashboardId, sources });
  const file = await exportDashboard(exports, {
    ...options,
    principal,
    dashboardId,
    timeoutMs: TIMEOUT_MS,
    queryMs: QUERY_JOB_LIMITS.timeoutMs,
    signal,
    onError: (error) => worker.reportCard(error, job),
  });
  // What was read in between may be of either rights.
  const after = await callerNow(worker, job, command);
  if ((await exportRights(exports, after, { dashboardId, sources })) !== rights)
    throw new JobFailure('FORBIDDEN', 'Your permissions changed while the file was written. Start the export again.');
  const { fileName, contentType, truncated, failedCards, warnings } = file;
  const stored = await keptFile(objects, file, keys.file(job.attempt));
  const report: ExportJobReport = { ...stored, fileName, contentType, sources, rights };
  await objects.write(keys.report, Buffer.from(JSON.stringify(report)), 'application/json');
  return { bytes: stored.bytes, truncated, failedCards, warnings };
}

/** The caller as a request would have them now. Throws a `JobFailure` if they may no longer export. */
async function callerNow(
  { table, now }: DashboardExportWorker,
  { workspaceId }: StoredJob,
  { caller }: ExportJobCommand,
): Promise<Principal> {
  const workspace = await readWorkspace(table, workspaceId);
  const principal =
    caller.kind === 'apiKey'
      ? await principalOfKeyId(table, { workspaceId, keyId: caller.credentialId }, now())
      : await memberPrincipal(table, { ...caller, workspaceId });
  const isSame = principal?.membershipId === caller.membershipId;
  if (!workspace || workspace.deletesAt || !principal || !isSame || !isPermitted('dashboards:export', principal))
    throw new JobFailure('FORBIDDEN', 'You may no longer export dashboards of the workspace.');
  await assertMayExport({ workspace: async () => workspace }, principal);
  return { ...principal, timezone: workspace.timezone ?? undefined };
}

/** Where the file is: large ones are in the bucket already. */
async function keptFile(
  objects: Pick<ObjectStore, 'write'>,
  { content, contentType }: Pick<ExportedFile, 'content' | 'contentType'>,
  key: string,
): Promise<{ key: string; bytes: number }> {
  if (!Buffer.isBuffer(content)) return content;
  await objects.write(key, content, contentType);
  return { key, bytes: content.length };
}

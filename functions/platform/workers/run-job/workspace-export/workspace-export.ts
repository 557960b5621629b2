import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeZip, type ZipEntry } from '../../../../../shared/data/documents/zip-file.ts';
import { classOfDatasets, rightsDeps } from '../../../../../shared/domains/semantics/row-rights/index.ts';
import { type ExportResult, exportKey } from '../../../../../shared/domains/tenancy/workspace-exports/index.ts';
import {
  memberPrincipal,
  readWorkspace,
  type WorkspaceRecord,
} from '../../../../../shared/domains/tenancy/workspaces/index.ts';
import { isPermitted } from '../../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';
import type { StoredJob } from '../../../../../shared/platform/jobs/record.ts';
import { type JobControl, JobFailure, JobStopped, type JobWork } from '../job-kind.ts';
import { archiveFiles, type Counts } from './archive-files.ts';
import type { ExportWorker } from './export-worker.ts';
import { type DatasetSelection, exportedDatasets } from './exported-datasets.ts';

const FORMAT_VERSION = 1;

/** Writes everything of a workspace to one archive. An archive appears whole or not at all. */
export function workspaceExport(worker: ExportWorker): JobWork {
  return {
    async run(job, control) {
      const workspace = await readWorkspace(worker.table, job.workspaceId);
      if (!workspace || workspace.deletesAt !== undefined) throw new JobStopped('cancelled');
      const principal = await adminOf(worker, workspace, job);
      // Before anything is read: the archive is for the admin while these are the rights.
      const rights = await classOfDatasets(rightsDeps(worker.table, worker.now), principal);
      const selection: DatasetSelection =
        job.input.datasetRows === false
          ? { datasets: [], leftOut: [], bytes: 0 }
          : await exportedDatasets(worker, principal);
      const folder = await mkdtemp(join(worker.engineResources.tempDir, 'export-'));
      try {
        const path = join(folder, 'workspace.zip');
        const files = await writeArchive(worker, { path, workspace, principal, selection, control });
        const { size: bytes } = await stat(path);
        await worker.objects.within(control.signal).upload(exportKey(job), path, 'application/zip');
        return { bytes, files, leftOut: selection.leftOut.length, rights } satisfies ExportResult;
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** The admin who started the export, who may have left or have another role by now. */
async function adminOf(
  { table }: ExportWorker,
  { id: workspaceId, companyId }: WorkspaceRecord,
  { trigger }: StoredJob,
): Promise<Principal> {
  const principal = await memberPrincipal(table, { workspaceId, companyId, userId: trigger.actor! });
  if (principal && isPermitted('workspace:export', principal)) return principal;
  throw new JobFailure('FORBIDDEN', 'The person who started the export is no admin of the workspace any more.');
}

interface Archive {
  path: string;
  workspace: WorkspaceRecord;
  principal: Principal;
  selection: DatasetSelection;
  control: JobControl;
}

/** Returns the number of files. The manifest comes last, because it says how much the others contain. */
async function writeArchive(
  { table, objects, now }: ExportWorker,
  { path, workspace, principal, selection, control }: Archive,
): Promise<number> {
  const { id: workspaceId, companyId, name } = workspace;
  const exportedAt = now();
  const counts: Counts = {};
  const source = { table, objects, workspaceId, companyId, principal, now, ...selection };
  async function* entries(): AsyncGenerator<ZipEntry> {
    yield* archiveFiles(source, counts);
    const manifest = {
      formatVersion: FORMAT_VERSION,
      workspace: { id: workspaceId, companyId, name },
      exportedAt: exportedAt.toISOString(),
      exportedBy: { id: principal.userId, email: principal.email },
      files: Object.entries(counts).map(([file, records]) => ({ path: file, records })),
      leftOut: selection.leftOut,
    };
    yield { path: 'manifest.json', content: () => [Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)] };
  }
  await writeZip(path, entries(), exportedAt, (bytes) => {
    control.signal.throwIfAborted();
    control.progress({ bytes, percent: Math.min(99, Math.round((100 * bytes) / (selection.bytes + 1))) });
  });
  return Object.keys(counts).length + 1;
}

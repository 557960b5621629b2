import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JobControl, JobStopped } from '../../../../functions/platform/workers/run-job/job-kind.ts';
import type { ExportWorker } from '../../../../functions/platform/workers/run-job/workspace-export/export-worker.ts';
import { workspaceExport } from '../../../../functions/platform/workers/run-job/workspace-export/workspace-export.ts';
import { themeRepository } from '../../../../shared/domains/boards/themes/index.ts';
import { createCompany, memberKey, type WorkspaceRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { datasetRepository, emptyDataset } from '../../../../shared/domains/warehouse/datasets/index.ts';
import { queuedJob } from '../../../../shared/platform/jobs/jobs.ts';
import { type ObjectStore, objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { Crashed } from '../../../support/crash.ts';
import { LOCAL_ACCESS, useLocalTable } from '../../../support/local-table.ts';
import { unzipped } from '../../../support/unzip.ts';

const local = useLocalTable();
let table: Table;
let objects: ObjectStore;
let tempDir: string;
beforeAll(async () => {
  table = local.open();
  const s3 = new S3Client({ endpoint: local.cloud.endpoint, forcePathStyle: true, ...LOCAL_ACCESS });
  await s3.send(new CreateBucketCommand({ Bucket: 'data' }));
  objects = objectStore('data', s3);
  tempDir = await mkdtemp(join(tmpdir(), 'workspace-export-'));
});
afterAll(() => rm(tempDir, { recursive: true, force: true }));

async function givenWorkspace() {
  const [companyId, workspaceId, userId] = [newId(), newId(), newId()];
  const at = new Date().toISOString();
  const dates = { createdAt: at, updatedAt: at };
  const workspace: WorkspaceRecord = { id: workspaceId, companyId, name: 'First', ...dates, revision: 1 };
  const email = `${userId}@example.com`;
  const owner = {
    id: userId,
    companyId,
    companyRole: 'company_admin',
    email,
    name: 'Ada',
    active: true,
    ...dates,
  } as const;
  await createCompany(table, { companyId, companyName: 'Acme', workspace, owner });
  const trigger = { kind: 'manual', scheduledAt: null, actor: userId } as const;
  const named = { id: newId(), workspaceId, kind: 'workspace_export', subjectId: workspaceId, trigger } as const;
  return { workspaceId, userId, job: { ...queuedJob({ ...named, input: {} }, new Date()), attempt: 1 } };
}

const workerOf = (more: Partial<ExportWorker> = {}): ExportWorker => ({
  table,
  objects,
  manifest: async () => undefined,
  engineResources: { tempDir },
  now: () => new Date(),
  ...more,
});

const controlOf = (signal = new AbortController().signal): JobControl => ({
  signal,
  progress: () => undefined,
  fence: () => ({}),
  die: () => undefined,
  dieAndContinue: () => undefined,
});

const archives = async (workspaceId: string) => (await objects.list(`results/${workspaceId}/`)).map(({ key }) => key);

describe('the archive of a workspace', () => {
  it('appears whole or not at all, and the next attempt writes its own', async () => {
    const { workspaceId, job } = await givenWorkspace();
    const dying: ObjectStore = {
      ...objects,
      within: () => ({ ...objects, upload: () => Promise.reject(new Crashed('before')) }),
    };
    await expect(workspaceExport(workerOf({ objects: dying })).run(job, controlOf())).rejects.toThrow(Crashed);
    expect(await archives(workspaceId)).toEqual([]);
    const result = await workspaceExport(workerOf()).run({ ...job, attempt: 2 }, controlOf());
    const [key] = await archives(workspaceId);
    expect(key).toBe(`results/${workspaceId}/exports/${job.id}-2.zip`);
    const archive = await objects.read(key!);
    const files = (await unzipped(archive)).size;
    expect(result).toEqual({ bytes: archive.length, files, leftOut: 0, rights: 'all' });
    expect(await readdir(tempDir)).toEqual([]);
  });

  it('is given up when the job is cancelled', async () => {
    const { workspaceId, job } = await givenWorkspace();
    const stopped = AbortSignal.abort(new JobStopped('cancelled'));
    await expect(workspaceExport(workerOf()).run(job, controlOf(stopped))).rejects.toThrow(JobStopped);
    expect([await archives(workspaceId), await readdir(tempDir)]).toEqual([[], []]);
  });

  it('is not made for a person who is no admin any more', async () => {
    const { workspaceId, userId, job } = await givenWorkspace();
    const demoted = updateOf(table, memberKey(workspaceId, userId), { set: { role: 'editor' } });
    await table.db.send(new UpdateCommand(demoted));
    await expect(workspaceExport(workerOf()).run(job, controlOf())).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await archives(workspaceId)).toEqual([]);
  });

  it('has rows of at most 4 GB', async () => {
    const { workspaceId, job } = await givenWorkspace();
    const made = emptyDataset({ id: newId(), workspaceId, name: 'events', createdBy: null, at: new Date() });
    await datasetRepository(table).create({ ...made, version: 1 });
    const files = [{ key: `W/${workspaceId}/datasets/${made.id}/1.parquet`, sizeBytes: 4_000_000_001, rows: 1 }];
    const manifest: ExportWorker['manifest'] = async () => ({ files }) as never;
    const work = workspaceExport(workerOf({ manifest }));
    await expect(work.run(job, controlOf())).rejects.toMatchObject({ code: 'EXPORT_TOO_LARGE' });
    expect(await archives(workspaceId)).toEqual([]);
    await work.run({ ...job, input: { datasetRows: false } }, controlOf());
    expect(await archives(workspaceId)).toHaveLength(1);
  });

  it('has every record of a kind, the oldest first', async () => {
    const { workspaceId, userId, job } = await givenWorkspace();
    const tokens = { palette: ['#1f77b4'], fonts: { heading: 'serif', body: 'sans' }, radius: 8, dark: false } as const;
    const names = Array.from({ length: 250 }, (_, index) => `Theme ${index}`);
    for (const [index, name] of names.entries()) {
      const at = new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();
      const stamps = { createdBy: userId, updatedBy: userId, createdAt: at, updatedAt: at, revision: 1 };
      await themeRepository(table).create({ id: newId(), workspaceId, name, tokens: tokens as never, ...stamps });
    }
    await workspaceExport(workerOf()).run(job, controlOf());
    const [key] = await archives(workspaceId);
    const themes = JSON.parse((await unzipped(await objects.read(key!))).get('definitions/themes.json')!.toString());
    expect(themes.map(({ name }: { name: string }) => name)).toEqual(names);
  });
});

import {
  listStepRuns,
  readAdmission,
  toRun,
  viewRunWithSteps,
} from '../../../../shared/domains/pipelines/runs/index.ts';
import {
  type RUN_STATUSES,
  type Run,
  type RunWithSteps,
  readStepLog,
  readSteps,
  runRepository,
  type StepRunPage,
  type StoredRun,
} from '../../../../shared/domains/pipelines/store/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { Cursors } from '../../../../shared/platform/http/cursor.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { PipelineRepository } from '../repository.ts';
import type { StepLogTail, StepRunsQuery } from '../schemas.ts';

interface Deps {
  table: Table;
}

interface PagingDeps extends Deps {
  cursors: Cursors;
  now(): Date;
}

export async function listRuns(
  deps: Deps & { pipelines: PipelineRepository },
  query: { workspaceId: string; id: string; limit: number; offset: number; status?: (typeof RUN_STATUSES)[number] },
): Promise<PageOf<Run>> {
  const { workspaceId, id: pipelineId } = query;
  const pipeline = await deps.pipelines.get(workspaceId, pipelineId);
  if (!pipeline) throw new AppError('PIPELINE_NOT_FOUND');
  const [page, admission] = await Promise.all([
    runRepository(deps.table).list(workspaceId, query, pipelineId),
    readAdmission(deps.table, workspaceId, pipelineId),
  ]);
  return { ...page, items: page.items.map((run) => toRun(run, admission)) };
}

export async function getRun(deps: PagingDeps, query: { workspaceId: string; runId: string }): Promise<RunWithSteps> {
  const { workspaceId, runId } = query;
  const run = await existing(deps, query);
  const [steps, admission] = await Promise.all([
    readSteps(deps.table, workspaceId, runId),
    run.status === 'queued' ? readAdmission(deps.table, workspaceId, run.pipelineId) : undefined,
  ]);
  return viewRunWithSteps(deps, run, admission, steps);
}

export async function listSteps(
  deps: PagingDeps,
  query: StepRunsQuery & { workspaceId: string; runId: string },
): Promise<StepRunPage> {
  return listStepRuns(deps, await existing(deps, query), query);
}

export async function viewRun(deps: Deps, run: StoredRun): Promise<Run> {
  if (run.status !== 'queued') return toRun(run, undefined);
  return toRun(run, await readAdmission(deps.table, run.workspaceId, run.pipelineId));
}

/** The end of the log of an attempt. Throws `STEP_LOG_NOT_FOUND` for an unknown step or attempt. */
export async function getStepLogs(
  deps: Deps & { objects: ObjectStore },
  query: { workspaceId: string; runId: string; stepId: string; attempt?: number; itemIndex?: number },
): Promise<StepLogTail> {
  const { workspaceId, runId, stepId } = query;
  await existing(deps, query);
  const steps = await readSteps(deps.table, workspaceId, runId);
  const instances = steps.filter((step) => step.kind === 'step' && step.stepId === stepId);
  const step = instances.find((instance) => (instance.itemIndex ?? 0) === (query.itemIndex ?? 0));
  if (!step) throw new AppError('STEP_LOG_NOT_FOUND');
  const attempt = query.attempt ?? step.attempt;
  if (attempt < 1 || attempt > step.attempt) throw new AppError('STEP_LOG_NOT_FOUND');
  const tail = await readStepLog(deps.objects, { ...step, attempt });
  return { runId, stepId, attempt, item: step.item, ...(tail ?? { lines: [], truncated: false, totalBytes: 0 }) };
}

async function existing(deps: Deps, query: { workspaceId: string; runId: string }): Promise<StoredRun> {
  const run = await runRepository(deps.table).get(query.workspaceId, query.runId);
  if (!run) throw new AppError('RUN_NOT_FOUND');
  return run;
}

import {
  assertMaySeeRows,
  listStepRuns,
  readAdmission,
  type ShownErrorsDeps,
  showErrors,
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
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
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

interface Named {
  principal: Principal;
  runId: string;
}

interface ReadDeps extends Deps, ShownErrorsDeps {}

interface PagingDeps extends ReadDeps {
  cursors: Cursors;
  now(): Date;
}

export async function listRuns(
  deps: ReadDeps & { pipelines: PipelineRepository },
  query: { principal: Principal; id: string; limit: number; offset: number; status?: (typeof RUN_STATUSES)[number] },
): Promise<PageOf<Run>> {
  const { principal, id: pipelineId } = query;
  const { workspaceId } = principal;
  const pipeline = await deps.pipelines.get(workspaceId, pipelineId);
  if (!pipeline) throw new AppError('PIPELINE_NOT_FOUND');
  const [page, admission] = await Promise.all([
    runRepository(deps.table).list(workspaceId, query, pipelineId),
    readAdmission(deps.table, workspaceId, pipelineId),
  ]);
  const errors = showErrors(deps, principal);
  return { ...page, items: await Promise.all(page.items.map((run) => errors.inRun(toRun(run, admission)))) };
}

export async function getRun(deps: PagingDeps, query: Named): Promise<RunWithSteps> {
  const { principal, runId } = query;
  const { workspaceId } = principal;
  const run = await existing(deps, query);
  const [steps, admission] = await Promise.all([
    readSteps(deps.table, workspaceId, runId),
    run.status === 'queued' ? readAdmission(deps.table, workspaceId, run.pipelineId) : undefined,
  ]);
  const errors = showErrors(deps, principal);
  const view = await errors.inRun(await viewRunWithSteps(deps, run, admission, steps));
  return { ...view, steps: await errors.inSteps(run, view.steps) };
}

export async function listSteps(deps: PagingDeps, query: StepRunsQuery & Named): Promise<StepRunPage> {
  const run = await existing(deps, query);
  const page = await listStepRuns(deps, run, query);
  return { ...page, items: await showErrors(deps, query.principal).inSteps(run, page.items) };
}

export async function viewRun(deps: ReadDeps, principal: Principal, run: StoredRun): Promise<Run> {
  return showErrors(deps, principal).inRun(await viewStartedRun(deps, run));
}

/** For a caller without rights to rows, from whom the reason of a failure is kept. */
export async function viewRunOfTrigger(deps: Deps, run: StoredRun): Promise<Run> {
  const view = await viewStartedRun(deps, run);
  return { ...view, error: view.error && { ...view.error, message: 'Sign in and read the run for the reason.' } };
}

async function viewStartedRun({ table }: Deps, run: StoredRun): Promise<Run> {
  if (run.status !== 'queued') return toRun(run, undefined);
  return toRun(run, await readAdmission(table, run.workspaceId, run.pipelineId));
}

/**
 * The end of the log of an attempt, whose lines may quote rows. Throws `STEP_LOG_NOT_FOUND` for an unknown step or
 * attempt, and `RLS_RAW_SQL`.
 */
export async function getStepLogs(
  deps: ReadDeps & { objects: ObjectStore },
  query: Named & { stepId: string; attempt?: number; itemIndex?: number },
): Promise<StepLogTail> {
  const { principal, runId, stepId } = query;
  const { workspaceId } = principal;
  const run = await existing(deps, query);
  const steps = await readSteps(deps.table, workspaceId, runId);
  const instances = steps.filter((step) => step.kind === 'step' && step.stepId === stepId);
  const step = instances.find((instance) => (instance.itemIndex ?? 0) === (query.itemIndex ?? 0));
  if (!step) throw new AppError('STEP_LOG_NOT_FOUND');
  const attempt = query.attempt ?? step.attempt;
  if (attempt < 1 || attempt > step.attempt) throw new AppError('STEP_LOG_NOT_FOUND');
  await assertMaySeeRows(deps, principal, [await deps.dags.get(workspaceId, run.dagHash)]);
  const tail = await readStepLog(deps.objects, { ...step, attempt });
  return { runId, stepId, attempt, item: step.item, ...(tail ?? { lines: [], truncated: false, totalBytes: 0 }) };
}

async function existing(deps: Deps, { principal, runId }: Named): Promise<StoredRun> {
  const run = await runRepository(deps.table).get(principal.workspaceId, runId);
  if (!run) throw new AppError('RUN_NOT_FOUND');
  return run;
}

import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { ErrorCode } from '../../../platform/errors/catalogue.ts';
import type { TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions } from '../../../platform/storage/transact.ts';
import { fullRefreshIssues, resolveParameters } from '../definition/index.ts';
import type { RunTrigger, StoredPipeline, StoredRun } from '../store/index.ts';
import {
  countStart,
  occasionKey,
  pipelineRepository,
  queuedKey,
  type RunContext,
  rateLimited,
  removeRunEntryItems,
  runRepository,
  startLimitsOf,
} from '../store/index.ts';
import { type Admission, admit, changeAdmission, type Decision, releaseSlot, withoutLatest } from './admission.ts';
import { checkStart } from './allowance.ts';
import { cancelReplaced } from './cancel-run.ts';
import { announceNoWorker } from './compute-events.ts';
import { newRun, type RunExtras, type RunRequest, recordsOf, relatedItems, STARTS_AT_ONCE } from './new-run.ts';

/**
 * Creates a run and starts it, or queues it for a slot. Repeating an id returns the same run, whatever its state and
 * whether or not the pipeline would accept another one now. Throws `PIPELINE_NOT_FOUND`, `PIPELINE_PAUSED`,
 * `RUN_PARAMETERS_INVALID`, `FULL_REFRESH_INVALID`, `RUN_OVERLAP`, `QUEUE_FULL`, `RATE_LIMITED`, `ALLOWANCE_EXHAUSTED`,
 * `IDEMPOTENCY_KEY_REUSED` for an occasion with another input than before, and `WORKER_UNAVAILABLE` when no machine can
 * be started; the run is then removed.
 */
export async function createRun(context: RunContext, request: RunRequest): Promise<StoredRun> {
  try {
    return await create(context, request);
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    const stored = await runRepository(context.table).get(request.workspaceId, request.runId);
    if (!stored) throw cause;
    return stored;
  }
}

async function create(context: RunContext, request: RunRequest): Promise<StoredRun> {
  const { workspaceId, pipelineId } = request;
  const allowance = checkStart(context.table, workspaceId, context.now());
  // Errors of the pipeline take precedence.
  allowance.catch(() => undefined);
  const pipeline = await pipelineRepository(context.table).get(workspaceId, pipelineId);
  if (!pipeline) throw new AppError('PIPELINE_NOT_FOUND');
  if (pipeline.status === 'paused') throw new AppError('PIPELINE_PAUSED');
  const dag = await context.dags.get(workspaceId, pipeline.dagHash);
  const { values, issues } = resolveParameters(dag.parameters ?? [], request.parameters);
  if (issues.length > 0) throw new AppError('RUN_PARAMETERS_INVALID', { errors: issues });
  const wrong = fullRefreshIssues(dag, request.fullRefresh);
  if (wrong.length > 0) throw new AppError('FULL_REFRESH_INVALID', { errors: wrong });

  const earlier = await earlierRun(context, request);
  if (earlier) return earlier;
  await allowance;
  const run = newRun(pipeline, { ...request, parameters: values }, context.now());
  const placed = await place(context, pipeline, run, request);
  if (placed.kind === 'known') return placed.run;
  if (placed.kind === 'admitted') {
    await startMachine(context, placed.run, request);
    return placed.run;
  }
  await cancelReplaced(context, placed.run);
  return placed.run;
}

async function earlierRun(
  context: RunContext,
  request: Pick<RunRequest, 'workspaceId' | 'pipelineId' | 'occasion'>,
): Promise<StoredRun | undefined> {
  if (request.occasion === undefined) return undefined;
  const found = await context.table.db.send(
    new GetCommand({
      TableName: context.table.name,
      Key: occasionKey(request.workspaceId, request.pipelineId, request.occasion.name),
      ConsistentRead: true,
    }),
  );
  // DynamoDB may keep an expired item for days.
  if (!found.Item || (found.Item.expiresAt as number) * 1000 <= context.now().getTime()) return undefined;
  const { digest } = found.Item;
  if (digest !== undefined && digest !== request.occasion.digest) throw new AppError('IDEMPOTENCY_KEY_REUSED');
  return runRepository(context.table).get(request.workspaceId, found.Item.runId as string);
}

interface Placed {
  kind: 'admitted' | 'waiting' | 'known';
  run: StoredRun;
}

/** Only these count against the workspace limit: a rejected start of the other triggers would be lost. */
const LIMITED_TRIGGERS: readonly RunTrigger['kind'][] = ['manual', 'webhook'];

/** Stores the run together with its slot or its place in the queue. */
async function place(
  context: RunContext,
  pipeline: StoredPipeline,
  run: StoredRun,
  request: RunExtras,
): Promise<Placed> {
  const { table } = context;
  const runs = runRepository(table);
  const { occasion } = request;
  const { perPipeline: startsPerMinute } = startLimitsOf(context);
  let isCounted = !LIMITED_TRIGGERS.includes(run.trigger.kind);
  try {
    let [stored, isNew] = [run, true];
    const decided = await changeAdmission(table, run, async (state) => {
      const now = context.now();
      const takesInput = request.claim !== undefined;
      const decision = admit(state, run.id, pipeline.concurrency, now, { startsPerMinute, takesInput });
      if (decision.kind === 'rejected') {
        if (decision.code === 'RATE_LIMITED') throw rateLimited('pipeline', startsPerMinute, now);
        throw rejectionError(decision.code, decision.activeRunIds);
      }
      if (!isCounted) await countStart(context, run.workspaceId);
      isCounted = true;
      return {
        next: decision.next,
        // The record and the total of its list come first.
        position: 2,
        write: async (admission) => {
          const created = { ...run, ...queueMembers(decision) };
          stored = await runs.create(created, [admission, ...relatedItems(context, created, request)]);
          isNew = stored === created;
        },
        result: decision.kind,
      };
    });
    if (decided === 'admitted' && stored.status === 'queued') return { kind: 'admitted', run: stored };
    return { kind: decided === 'waiting' && isNew ? 'waiting' : 'known', run: stored };
  } catch (cause) {
    // Another request has used the occasion since.
    if (occasion === undefined || !failedConditions(cause).has(3)) throw cause;
    const earlier = await earlierRun(context, { ...run, occasion });
    if (!earlier) throw cause;
    return { kind: 'known', run: earlier };
  }
}

/** What a run stores about its place in the queue. */
function queueMembers(decision: Exclude<Decision, { kind: 'rejected' }>): Partial<StoredRun> {
  if (decision.kind === 'admitted') return STARTS_AT_ONCE;
  return decision.replaces.length > 0 ? { replaces: decision.replaces } : {};
}

function rejectionError(code: ErrorCode, activeRunIds: string[]): AppError {
  return new AppError(code, { members: code === 'RUN_OVERLAP' ? { activeRunIds } : {} });
}

/** Starts the machine of an admitted run; removes the run again if that fails. */
async function startMachine(context: RunContext, run: StoredRun, extras: RunExtras): Promise<void> {
  try {
    await context.launcher.startRun({ workspaceId: run.workspaceId, runId: run.id, epoch: run.attempt });
  } catch (cause) {
    if (!(await removeUnstarted(context, run, extras))) return;
    await announceNoWorker(context, run);
    throw new AppError('WORKER_UNAVAILABLE', { cause });
  }
}

/** Removes a run that has not started; returns false if it has, because only the response of its start was lost. */
async function removeUnstarted(context: RunContext, run: StoredRun, extras: RunExtras): Promise<boolean> {
  const { table } = context;
  const { occasion, claim } = extras;
  const runs = runRepository(table);
  const related: TransactItem[] = [
    { Delete: { TableName: table.name, Key: queuedKey(run) } },
    ...(occasion === undefined
      ? []
      : [{ Delete: { TableName: table.name, Key: occasionKey(run.workspaceId, run.pipelineId, occasion.name) } }]),
    ...(claim ? [claim.release] : []),
    ...removeRunEntryItems(table, run),
    ...recordsOf(context, run, extras).map(({ TableName, Item: { pk, sk } }) => ({
      Delete: { TableName, Key: { pk, sk } },
    })),
  ];
  try {
    await changeAdmission(table, run, async (state: Admission) => ({
      next: withoutLatest(releaseSlot(state, run.id).next, run.id),
      position: 2,
      write: (admission) => runs.remove(run, 'RUN_NOT_FOUND', [admission, ...related]),
      result: undefined,
    }));
    return true;
  } catch (cause) {
    if (cause instanceof AppError && cause.code === 'RUN_NOT_FOUND') return false;
    throw cause;
  }
}

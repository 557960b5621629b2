import { bytesOf, timeoutSecondsOf } from '../../../../../shared/domains/pipelines/definition/index.ts';
import { leaveSlot } from '../../../../../shared/domains/pipelines/runs/index.ts';
import {
  attemptPrefix,
  type StepJob,
  StepLog,
  type StoredStep,
} from '../../../../../shared/domains/pipelines/store/index.ts';
import { type Answer, againIn } from '../answer.ts';
import { StepFailure, type Worker } from '../attempt.ts';
import { enter, failAtOnce } from '../begin-step.ts';
import { Chain } from '../chain.ts';
import { checkedOf, inputsOfNode, openStep, type StepContext, whyNotOnAthena } from '../step-context.ts';
import { queryStatements } from './statements.ts';

const MB = 1024 * 1024;

/**
 * Begins an attempt on Athena: describes its inputs and returns the statements to run. `step-machine.ts` then runs
 * them, and `finishQuery` stores the result.
 */
export async function beginQuery(worker: Worker, job: StepJob, execution: string): Promise<Answer> {
  const answer = await begin({ ...worker, compute: { engine: 'athena' } }, job, execution);
  if (answer.kind !== 'elsewhere' && answer.kind !== 'query') await leaveSlot(worker.context, job, execution);
  return answer;
}

async function begin(worker: Worker, asked: StepJob, execution: string): Promise<Answer> {
  const opened = await openStep(worker, asked);
  if (!opened) return { kind: 'done' };
  const { stepContext } = opened;
  const found = await enter(worker, stepContext, asked, execution, opened.stored);
  if (!('stored' in found)) return found;
  const job = { ...asked, index: found.stored.index };
  try {
    await worker.checkAllowance(job.workspaceId);
    return await prepareQuery(worker, stepContext, job, found.stored);
  } catch (thrown) {
    return failAtOnce(worker, stepContext, found.stored, thrown);
  }
}

async function prepareQuery(
  worker: Worker,
  stepContext: StepContext,
  job: StepJob,
  stored: StoredStep,
): Promise<Answer> {
  if (!worker.athena) throw new StepFailure('INTERNAL', 'Athena was disabled while the step moved there.');
  const { database, bucket } = worker.athena;
  const checked = await checkedOf(worker, stepContext, job);
  if (!checked.moves) throw new StepFailure('INTERNAL', whyNotOnAthena(checked));
  const node = stepContext.plan.nodes[job.index]!;
  const step = stepContext.dag.steps.find((candidate) => candidate.id === node.stepId)!;
  const inputs = await inputsOfNode(worker.context, stepContext, job, node);
  const prefix = attemptPrefix(stored);
  const tables = checked.tables.map((alias) => ({
    alias,
    columns: inputs[alias]![0]!.columns,
    files: inputs[alias]!.flatMap(({ files }) => files.map(({ key }) => key)),
  }));
  const { manifests, ...statements } = queryStatements({ database, bucket, prefix }, tables, checked.sql);
  for (const { key, content } of manifests) await worker.objects.write(key, Buffer.from(content), 'text/plain');
  const { report } = worker;
  const log = new StepLog(worker.objects, prefix, { mask: (text) => text, now: worker.context.now, report });
  log.write('info', `Attempt ${stored.attempt} of ${step.type} step ${step.id} begins.`);
  log.write('info', `It runs on Athena with inputs of ${Math.ceil(bytesOf(inputs) / MB)} MB.`);
  await log.flush();
  return { kind: 'query', index: job.index, attempt: stored.attempt, seconds: timeoutSecondsOf(step), ...statements };
}

/** Takes over the rows of a finished query and settles the attempt as any other worker does. */
export async function finishQuery(worker: Worker, job: StepJob, execution: string, attempt: number): Promise<Answer> {
  const onAthena: Worker = { ...worker, compute: { engine: 'athena' } };
  const opened = await openStep(onAthena, job);
  const stored = opened?.stored;
  if (!opened || !stored || stored.epoch !== job.epoch || stored.attempt !== attempt) return { kind: 'done' };
  if (stored.status === 'waiting') {
    // An earlier invocation has already failed the attempt.
    return againIn(job.index, Date.parse(stored.nextRetryAt!) - worker.context.now().getTime());
  }
  if (stored.status !== 'running' || stored.holder !== execution) return { kind: 'done' };
  const answer = await new Chain(onAthena, opened.stepContext, job, execution, () => false).follow(stored);
  await leaveSlot(worker.context, job, execution);
  return answer;
}

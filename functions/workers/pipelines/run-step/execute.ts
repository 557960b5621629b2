import {
  awaitContainer,
  beginAttempt,
  endRun,
  type FailedAttempt,
  failAttempt,
  isOver,
  isSameCompute,
  keepSlot,
  launchSteps,
  leaveSlot,
  type Node,
  type RunContext,
  readNodes,
  release,
  type StepCompute,
  type StepJob,
  type StoredRun,
  type StoredStep,
  settleAttempt,
  stopRun,
} from '../../../../shared/domains/pipelines/index.ts';
import { type Answer, againIn } from './answer.ts';
import type { Attempt, Worker } from './attempt.ts';
import { noteFailure } from './note-failure.ts';
import { clearUp } from './recover.ts';
import { runAttempt, stepErrorOf } from './run-attempt.ts';
import { computeOf, inputsOfNode, type StepContext, situationOf, valuesOf } from './step-context.ts';

/** Longer delays are left to the state machine: an idle function costs more than three transitions. */
const LONGEST_SLEEP_MS = 5_000;

/** A step that has been ready for no longer than this was given its slot in that time, and still has it. */
const SURELY_HELD_MS = 30_000;
const DONE: Answer = { kind: 'done' };

/**
 * Works on a step and then, while `mayGoOn` says so, on the step that becomes ready by it: a chain of short steps needs one
 * execution. Everything is written as if each step had its own, so whoever finds the chain broken can take it up anywhere.
 */
export async function execute(
  worker: Worker,
  job: StepJob,
  execution: string,
  mayGoOn: () => boolean,
): Promise<Answer> {
  const answer = await work(worker, job, execution, mayGoOn);
  if (answer.kind !== 'elsewhere') await leaveSlot(worker.context, job, execution);
  return answer;
}

async function work(worker: Worker, job: StepJob, execution: string, mayGoOn: () => boolean): Promise<Answer> {
  const [situation, stored] = await Promise.all([situationOf(worker, job), readNode(worker.context, job)]);
  if (!situation) return DONE;
  const found = await enter(worker, situation, job, execution, stored);
  if (!('stored' in found)) return found;
  return new Chain(worker, situation, job, execution, mayGoOn).follow(found.stored);
}

/** Begins the first attempt of this invocation, unless there is nothing to begin. */
export async function enter(
  worker: Worker,
  situation: StepContext,
  job: StepJob,
  execution: string,
  stored: StoredStep | undefined,
): Promise<Answer | { stored: StoredStep }> {
  const { context } = worker;
  if (stored?.epoch !== job.epoch) return DONE;
  if (isOver(stored.status) || (stored.status === 'running' && stored.holder === execution)) {
    // The service repeats an invocation whose end it did not see: the attempt of the first one, at this step or one behind, is
    // lost. Which of the two answers the machine takes is open, so this invocation goes on by itself.
    const answer = await clearUp(worker, job, execution, { Error: 'Lambda.Unknown' });
    if (answer.kind !== 'again') return answer;
    const next = { ...job, index: answer.index };
    return enter(worker, situation, next, execution, await readNode(context, next));
  }
  const isFresh = stored.status === 'ready' && context.now().getTime() - Date.parse(stored.readyAt!) < SURELY_HELD_MS;
  if (!isFresh && !(await keepSlot(context, job, execution))) return DONE;
  const earlyMs = stored.status === 'waiting' ? Date.parse(stored.nextRetryAt!) - context.now().getTime() : 0;
  if (earlyMs > LONGEST_SLEEP_MS) return againIn(job.index, earlyMs);
  if (earlyMs > 0) await sleep(earlyMs);
  return beginHere(worker, situation, job, execution, stored);
}

export async function readNode(context: RunContext, job: StepJob): Promise<StoredStep | undefined> {
  return (await readNodes(context.table, job, [job.index])).get(job.index);
}

/** Begins an attempt here, unless the step is for something else. One that cannot be placed fails an attempt by it. */
async function beginHere(
  worker: Worker,
  situation: StepContext,
  job: StepJob,
  execution: string,
  stored: StoredStep,
): Promise<Answer | { stored: StoredStep }> {
  const { context } = worker;
  // What Athena is to work on was checked when it was moved there: to send it back could go on for ever.
  let compute: StepCompute = worker.compute;
  try {
    if (compute.engine !== 'athena') compute = await computeOf(worker, situation, job);
  } catch (thrown) {
    const begun = await beginAttempt(context, job, stored, execution);
    return begun ? failAtOnce(worker, situation, begun, thrown) : DONE;
  }
  if (!isSameCompute(compute, worker.compute)) return moveTo(compute, context, job, execution);
  const begun = await beginAttempt(context, job, stored, execution);
  return begun ? { stored: begun } : DONE;
}

/** Fails an attempt that has begun for what went wrong before there was work. */
export async function failAtOnce(
  worker: Worker,
  { run, dag }: StepContext,
  begun: StoredStep,
  thrown: unknown,
): Promise<Answer> {
  const error = stepErrorOf(thrown);
  if (error.code === 'INTERNAL') worker.report(thrown as Error);
  await noteFailure(worker, begun, error);
  const after = await failAttempt(worker.context, { run, dag, step: begun, error, billed: true });
  return after.kind === 'retry' ? againIn(begun.index, after.delayMs) : DONE;
}

/** Follows attempts, and the steps behind them, as long as it may. */
export class Chain {
  readonly #worker: Worker;
  readonly #context: RunContext;
  readonly #situation: StepContext;
  readonly #job: StepJob;
  readonly #execution: string;
  readonly #mayGoOn: () => boolean;

  constructor(worker: Worker, situation: StepContext, job: StepJob, execution: string, mayGoOn: () => boolean) {
    this.#worker = worker;
    this.#context = worker.context;
    this.#situation = situation;
    this.#job = job;
    this.#execution = execution;
    this.#mayGoOn = mayGoOn;
  }

  async follow(first: StoredStep): Promise<Answer> {
    let current: StoredStep | Answer = first;
    while (!isAnswer(current)) current = await this.#workOn(current);
    return current;
  }

  /** One attempt, and what comes next: another one in hand, or the answer to the machine. */
  async #workOn(stored: StoredStep): Promise<StoredStep | Answer> {
    const { run, dag, plan } = this.#situation;
    const node = plan.nodes[stored.index]!;
    const step = dag.steps.find((candidate) => candidate.id === node.stepId)!;
    let given: Pick<Attempt, 'inputs' | 'values'>;
    try {
      const inputs = await inputsOfNode(this.#context, this.#situation, this.#job, node);
      given = { inputs, values: valuesOf(this.#situation, node) };
    } catch (thrown) {
      return failAtOnce(this.#worker, this.#situation, stored, thrown);
    }
    const outcome = await runAttempt({
      worker: this.#worker,
      run,
      dag,
      plan,
      step,
      node,
      stored,
      ...given,
      arrived: this.#situation.brought.files ?? [],
      notes: this.#situation.notes.get(node.index) ?? [],
    });
    const job = { ...this.#job, index: stored.index };
    if (outcome.kind === 'failed') return this.#afterFailure(job, stored, outcome);

    this.#situation.outputs.set(stored.index, outcome.result.output);
    const next = await this.#onlyNext(node);
    const settled = await settleAttempt(this.#context, {
      job,
      pipelineId: run.pipelineId,
      step: stored,
      end: outcome,
      gates: outcome.result.gates,
      billed: true,
      ...(next ? { next: { node: next, holder: this.#execution } } : {}),
    });
    if (settled.kind === 'fenced') return DONE;
    if (next && settled.goesOn) return this.#begunAt(next, settled.at);
    return this.#passOn(job, settled.run);
  }

  async #afterFailure(
    job: StepJob,
    stored: StoredStep,
    { error, gates }: Pick<FailedAttempt, 'error' | 'gates'>,
  ): Promise<StoredStep | Answer> {
    const { run, dag } = this.#situation;
    const after = await failAttempt(this.#context, { run, dag, step: stored, error, gates, billed: true });
    if (after.kind !== 'retry') return DONE;
    if (after.delayMs > LONGEST_SLEEP_MS || !this.#mayGoOn()) return againIn(stored.index, after.delayMs);
    await sleep(after.delayMs);
    const waiting: StoredStep = { ...stored, status: 'waiting' };
    return (await beginAttempt(this.#context, job, waiting, this.#execution)) ?? DONE;
  }

  /**
   * The step that follows this one and waits for nothing else: its beginning can go into the same transaction. In a
   * retried run the number of its attempts would have to be read first.
   */
  async #onlyNext(node: Node): Promise<Node | undefined> {
    const { run, plan } = this.#situation;
    if (run.attempt > 1 || node.feeds.length !== 1 || !this.#mayGoOn()) return undefined;
    const next = plan.nodes[node.feeds[0]!]!;
    const alone = next.kind === 'step' && next.behind.length === 0 && next.initial.pending.length === 1;
    if (!alone || !next.after.includes(node.index)) return undefined;
    // What goes wrong here is met again by whoever begins with it, and is then told at its own attempt.
    const ofNext = computeOf(this.#worker, this.#situation, { ...this.#job, index: next.index });
    const compute = await ofNext.catch(() => undefined);
    return compute && isSameCompute(compute, this.#worker.compute) ? next : undefined;
  }

  #begunAt(node: Node, at: Date): StoredStep {
    const { run, dag } = this.#situation;
    const { index, kind, stepId, item, itemIndex } = node;
    return {
      workspaceId: run.workspaceId,
      runId: run.id,
      index,
      kind,
      stepId,
      type: dag.steps.find((step) => step.id === stepId)!.type,
      item,
      itemIndex,
      status: 'running',
      holder: this.#execution,
      epoch: run.attempt,
      attempt: 1,
      attemptsBefore: 0,
      maxAttempts: 1,
      skipReason: null,
      startedAt: at.toISOString(),
      executionSeconds: 0,
    };
  }

  /** Tells the waiting steps, keeps one that became ready and starts executions for the others. */
  async #passOn(job: StepJob, run: StoredRun): Promise<StoredStep | Answer> {
    const { plan } = this.#situation;
    const over = { index: job.index, status: 'succeeded', skipReason: null } as const;
    if (run.cancelRequestedAt) {
      await stopRun(this.#context, run);
      return DONE;
    }
    const { ready, end, stopped } = await release(this.#context, plan, job, [over]);
    if (end) await endRun(this.#context, job, { status: end });
    if (stopped) await stopRun(this.#context, run);
    if (end || stopped) return DONE;
    const [mine, ...others] = this.#mayGoOn() ? ready : [undefined, ...ready];
    const [begun] = await Promise.all([
      mine === undefined ? undefined : this.#take({ ...job, index: mine }),
      launchSteps(this.#context, job, others as number[]),
    ]);
    return begun ?? DONE;
  }

  async #take(job: StepJob): Promise<StoredStep | Answer | undefined> {
    const stored = await readNode(this.#context, job);
    if (!stored) return undefined;
    const found = await beginHere(this.#worker, this.#situation, job, this.#execution, stored);
    return 'stored' in found ? found.stored : found;
  }
}

const isAnswer = (current: StoredStep | Answer): current is Answer =>
  'kind' in current && ['done', 'again', 'elsewhere', 'query'].includes(current.kind);

/** The step is for something else than this. */
async function moveTo(compute: StepCompute, context: RunContext, job: StepJob, execution: string): Promise<Answer> {
  if (compute.engine === 'container') await awaitContainer(context, job, execution);
  return { kind: 'elsewhere', index: job.index, compute };
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

import {
  awaitContainer,
  beginAttempt,
  type Dag,
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
  type Step,
  type StepCompute,
  type StepJob,
  type StoredRun,
  type StoredStep,
  settleAttempt,
  stopRun,
  valuesOfNode,
} from '../../../../shared/domains/pipelines/index.ts';
import { type Answer, againIn } from './answer.ts';
import type { Attempt, Worker } from './attempt.ts';
import { type FateOf, fateOfRows } from './fusion.ts';
import { logFailure } from './log-failure.ts';
import { recoverSteps } from './recover.ts';
import { runAttempt, stepErrorOf } from './run-attempt.ts';
import { computeOf, inputsOfNode, type StepContext, stepContextOf } from './step-context.ts';

/** The state machine waits for longer delays: an idle function costs more than three transitions. */
const MAX_SLEEP_MS = 5_000;

/** A step that became ready within this time still holds the slot that it was given then. */
const SLOT_CERTAIN_MS = 30_000;
const DONE: Answer = { kind: 'done' };

/**
 * Runs a step and then, while `mayContinue` allows, the step that becomes ready by it: a chain of short steps needs one
 * execution. The stored state is as if each step had its own, so any worker can continue a broken chain.
 */
export async function execute(
  worker: Worker,
  job: StepJob,
  execution: string,
  mayContinue: () => boolean,
): Promise<Answer> {
  const answer = await runChain(worker, job, execution, mayContinue);
  if (answer.kind !== 'elsewhere') await leaveSlot(worker.context, job, execution);
  return answer;
}

async function runChain(worker: Worker, job: StepJob, execution: string, mayContinue: () => boolean): Promise<Answer> {
  const [stepContext, stored] = await Promise.all([stepContextOf(worker, job), readNode(worker.context, job)]);
  if (!stepContext) return DONE;
  const found = await enter(worker, stepContext, job, execution, stored);
  if (!('stored' in found)) return found;
  return new Chain(worker, stepContext, job, execution, mayContinue).follow(found.stored);
}

/** Begins the first attempt of this invocation, unless there is nothing to begin. */
export async function enter(
  worker: Worker,
  stepContext: StepContext,
  job: StepJob,
  execution: string,
  stored: StoredStep | undefined,
): Promise<Answer | { stored: StoredStep }> {
  const { context } = worker;
  if (stored?.epoch !== job.epoch) return DONE;
  if (isOver(stored.status) || (stored.status === 'running' && stored.holder === execution)) {
    // The service repeated an invocation whose result it lost. That invocation held an attempt of this step or of a
    // later one, which is lost now. The machine may use either result, so this invocation continues by itself.
    const answer = await recoverSteps(worker, job, execution, { Error: 'Lambda.Unknown' });
    if (answer.kind !== 'again') return answer;
    const next = { ...job, index: answer.index };
    return enter(worker, stepContext, next, execution, await readNode(context, next));
  }
  const isFresh = stored.status === 'ready' && context.now().getTime() - Date.parse(stored.readyAt!) < SLOT_CERTAIN_MS;
  if (!isFresh && !(await keepSlot(context, job, execution))) return DONE;
  const earlyMs = stored.status === 'waiting' ? Date.parse(stored.nextRetryAt!) - context.now().getTime() : 0;
  if (earlyMs > MAX_SLEEP_MS) return againIn(job.index, earlyMs);
  if (earlyMs > 0) await sleep(earlyMs);
  return beginHere(worker, stepContext, job, execution, stored);
}

export async function readNode(context: RunContext, job: StepJob): Promise<StoredStep | undefined> {
  return (await readNodes(context.table, job, [job.index])).get(job.index);
}

/** Begins an attempt on this worker, or moves the step to another one. An error while choosing fails the attempt. */
async function beginHere(
  worker: Worker,
  stepContext: StepContext,
  job: StepJob,
  execution: string,
  stored: StoredStep,
): Promise<Answer | { stored: StoredStep }> {
  const { context } = worker;
  // A step on Athena was checked when it moved there; moving it back could repeat without end.
  let compute: StepCompute = worker.compute;
  try {
    if (compute.engine !== 'athena') compute = await computeOf(worker, stepContext, job);
  } catch (thrown) {
    const begun = await beginAttempt(context, job, stored, execution);
    return begun ? failAtOnce(worker, stepContext, begun, thrown) : DONE;
  }
  if (!isSameCompute(compute, worker.compute)) return moveTo(compute, context, job, execution);
  const begun = await beginAttempt(context, job, stored, execution);
  return begun ? { stored: begun } : DONE;
}

/** Fails an attempt because of an error before its work began. */
export async function failAtOnce(
  worker: Worker,
  { run, dag }: StepContext,
  begun: StoredStep,
  thrown: unknown,
): Promise<Answer> {
  const error = stepErrorOf(thrown);
  if (error.code === 'INTERNAL') worker.report(thrown as Error);
  await logFailure(worker, begun, error);
  const after = await failAttempt(worker.context, { run, dag, step: begun, error, billed: true });
  return after.kind === 'retry' ? againIn(begun.index, after.delayMs) : DONE;
}

/** Runs attempts, and the steps that become ready by them, while `mayContinue` allows. */
export class Chain {
  readonly #worker: Worker;
  readonly #context: RunContext;
  readonly #stepContext: StepContext;
  readonly #job: StepJob;
  readonly #execution: string;
  readonly #mayContinue: () => boolean;

  constructor(worker: Worker, stepContext: StepContext, job: StepJob, execution: string, mayContinue: () => boolean) {
    this.#worker = worker;
    this.#context = worker.context;
    this.#stepContext = stepContext;
    this.#job = job;
    this.#execution = execution;
    this.#mayContinue = mayContinue;
  }

  async follow(first: StoredStep): Promise<Answer> {
    let current: StoredStep | Answer = first;
    try {
      while (!isAnswer(current)) current = await this.#workOn(current);
      return current;
    } finally {
      await this.#stepContext.kept.dropAllBut();
    }
  }

  /** Runs one attempt; returns the next one, or the answer to the machine. */
  async #workOn(stored: StoredStep): Promise<StoredStep | Answer> {
    const { run, dag, plan } = this.#stepContext;
    const node = plan.nodes[stored.index]!;
    const step = stepOf(dag, node);
    let prepared: Pick<Attempt, 'inputs' | 'values'>;
    try {
      prepared = await this.#prepare(node);
    } catch (thrown) {
      return failAtOnce(this.#worker, this.#stepContext, stored, thrown);
    }
    const outcome = await runAttempt({
      worker: this.#worker,
      run,
      dag,
      plan,
      step,
      node,
      stored,
      ...prepared,
      fusion: {
        kept: this.#stepContext.kept,
        fateOf: this.#fateOf(node, prepared.inputs),
        sourceOf: async (index) => {
          const source = plan.nodes[index]!;
          return { node: source, step: stepOf(dag, source), ...(await this.#prepare(source)) };
        },
        replace: (index, output) => this.#stepContext.outputs.set(index, output),
      },
      arrived: this.#stepContext.input.files ?? [],
      notes: this.#stepContext.notes.get(node.index) ?? [],
    });
    const job = { ...this.#job, index: stored.index };
    if (outcome.kind === 'failed') return this.#afterFailure(job, stored, outcome);

    const { output } = outcome.result;
    this.#stepContext.outputs.set(stored.index, output);
    await this.#stepContext.kept.dropAllBut(output);
    const next = await this.#onlyNext(node);
    const settled = await settleAttempt(this.#context, {
      job,
      pipelineId: run.pipelineId,
      step: stored,
      end: outcome,
      gates: outcome.result.gates,
      log: outcome.log.text,
      billed: true,
      ...(next ? { next: { node: next, holder: this.#execution } } : {}),
    }).catch(async (error: unknown) => {
      await outcome.log.store();
      throw error;
    });
    if (settled.kind === 'fenced') {
      await outcome.log.store();
      return DONE;
    }
    if (next && settled.continued) return this.#begunAt(next, settled.at);
    return this.#continueWith(job, settled.run);
  }

  async #prepare(node: Node): Promise<Pick<Attempt, 'inputs' | 'values'>> {
    const inputs = await inputsOfNode(this.#context, this.#stepContext, this.#job, node);
    return { inputs, values: valuesOfNode(this.#stepContext, node) };
  }

  /** Decides about the rows of a transform; they are kept only if this worker goes on with the step that reads them. */
  #fateOf(node: Node, inputs: Attempt['inputs']): FateOf {
    const { dag, outputs } = this.#stepContext;
    const { athena } = this.#worker;
    return fateOfRows(dag, node, inputs, async (output) => {
      // Whether the next step moves to Athena is decided by the stored rows.
      if (athena && output.bytes > athena.fromBytes) return false;
      outputs.set(node.index, output);
      return (await this.#onlyNext(node)) !== undefined;
    });
  }

  async #afterFailure(
    job: StepJob,
    stored: StoredStep,
    { error, gates }: Pick<FailedAttempt, 'error' | 'gates'>,
  ): Promise<StoredStep | Answer> {
    const { run, dag } = this.#stepContext;
    const after = await failAttempt(this.#context, { run, dag, step: stored, error, gates, billed: true });
    if (after.kind !== 'retry') return DONE;
    if (after.delayMs > MAX_SLEEP_MS || !this.#mayContinue()) return againIn(stored.index, after.delayMs);
    await sleep(after.delayMs);
    const waiting: StoredStep = { ...stored, status: 'waiting' };
    return (await beginAttempt(this.#context, job, waiting, this.#execution)) ?? DONE;
  }

  /**
   * The only next step, if it depends on nothing else: it can then begin in the same transaction. In a retried run its
   * number of attempts would have to be read first.
   */
  async #onlyNext(node: Node): Promise<Node | undefined> {
    const { run, plan } = this.#stepContext;
    if (run.attempt > 1 || node.feeds.length !== 1 || !this.#mayContinue()) return undefined;
    const next = plan.nodes[node.feeds[0]!]!;
    const alone = next.kind === 'step' && next.behind.length === 0 && next.initial.pending.length === 1;
    if (!alone || !next.after.includes(node.index)) return undefined;
    // The worker that begins the step meets the same error and reports it with its attempt.
    const nextCompute = computeOf(this.#worker, this.#stepContext, { ...this.#job, index: next.index });
    const compute = await nextCompute.catch(() => undefined);
    return compute && isSameCompute(compute, this.#worker.compute) ? next : undefined;
  }

  #begunAt(node: Node, at: Date): StoredStep {
    const { run, dag } = this.#stepContext;
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

  /** Releases the waiting steps, keeps one that became ready and starts executions for the others. */
  async #continueWith(job: StepJob, run: StoredRun): Promise<StoredStep | Answer> {
    const { plan } = this.#stepContext;
    const over = { index: job.index, status: 'succeeded', skipReason: null } as const;
    if (run.cancelRequestedAt) {
      await stopRun(this.#context, run);
      return DONE;
    }
    const { ready, end, stopped } = await release(this.#context, plan, job, [over]);
    if (end) await endRun(this.#context, job, { status: end });
    if (stopped) await stopRun(this.#context, run);
    if (end || stopped) return DONE;
    const [mine, ...others] = this.#mayContinue() ? ready : [undefined, ...ready];
    const [begun] = await Promise.all([
      mine === undefined ? undefined : this.#take({ ...job, index: mine }),
      launchSteps(this.#context, job, others as number[]),
    ]);
    return begun ?? DONE;
  }

  async #take(job: StepJob): Promise<StoredStep | Answer | undefined> {
    const stored = await readNode(this.#context, job);
    if (!stored) return undefined;
    const found = await beginHere(this.#worker, this.#stepContext, job, this.#execution, stored);
    return 'stored' in found ? found.stored : found;
  }
}

const stepOf = (dag: Dag, { stepId }: Node): Step => dag.steps.find(({ id }) => id === stepId)!;

const isAnswer = (current: StoredStep | Answer): current is Answer =>
  'kind' in current && ['done', 'again', 'elsewhere', 'query'].includes(current.kind);

/** Moves the step to another engine or size. */
async function moveTo(compute: StepCompute, context: RunContext, job: StepJob, execution: string): Promise<Answer> {
  if (compute.engine === 'container') await awaitContainer(context, job, execution);
  return { kind: 'elsewhere', index: job.index, compute };
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

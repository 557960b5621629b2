import {
  type Dag,
  isSameCompute,
  type Node,
  type Step,
  type Successor,
  successorOf,
} from '../../../../shared/domains/pipelines/definition/index.ts';
import {
  beginAttempt,
  endRun,
  type FailedAttempt,
  failAttempt,
  launchSteps,
  release,
  stopRun,
  valuesOfNode,
} from '../../../../shared/domains/pipelines/runs/index.ts';
import type { RunContext, StepJob, StoredRun, StoredStep } from '../../../../shared/domains/pipelines/store/index.ts';
import { type Answer, againIn, DONE } from './answer.ts';
import type { Attempt, Worker } from './attempt.ts';
import { beginHere, failAtOnce, MAX_SLEEP_MS, readNode, sleep } from './begin-step.ts';
import { type FateOf, fateOfRows } from './fusion.ts';
import { type Outcome, runAttempt } from './run-attempt.ts';
import { computeOf, inputsOfNode, type StepContext } from './step-context.ts';
import { type Ended, type Over, type StoredEnd, UnsettledEnds } from './unsettled-ends.ts';

/** Runs attempts, and the steps that become ready by them, while `mayContinue` allows. */
export class Chain {
  readonly #worker: Worker;
  readonly #context: RunContext;
  readonly #stepContext: StepContext;
  readonly #job: StepJob;
  readonly #execution: string;
  readonly #mayContinue: () => boolean;
  #unsettled: UnsettledEnds;
  /** Whether ends may wait. They may not if the first step has lost an attempt. */
  #mayWait = false;

  constructor(worker: Worker, stepContext: StepContext, job: StepJob, execution: string, mayContinue: () => boolean) {
    this.#worker = worker;
    this.#context = worker.context;
    this.#stepContext = stepContext;
    this.#job = job;
    this.#execution = execution;
    this.#mayContinue = mayContinue;
    this.#unsettled = unsettledEnds(worker, stepContext);
  }

  async follow(first: StoredStep): Promise<Answer> {
    let current: StoredStep | Answer = first;
    this.#mayWait = first.attempt === 1;
    try {
      while (!isAnswer(current)) current = await this.#workOn(current);
      await this.#releaseStored();
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
      const over = await this.#unsettled.store();
      return over ? this.#leave(over) : failAtOnce(this.#worker, this.#stepContext, stored, thrown);
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
      unsettled: this.#unsettled,
    });
    if (outcome.kind === 'failed') {
      const over = await this.#unsettled.store();
      if (over) return this.#leave(over);
      return this.#afterFailure({ ...this.#job, index: stored.index }, stored, outcome);
    }
    this.#stepContext.outputs.set(stored.index, outcome.result.output);
    await this.#stepContext.kept.dropAllBut(outcome.result.output);
    return this.#afterSuccess(node, stored, outcome);
  }

  async #afterSuccess(
    node: Node,
    stored: StoredStep,
    outcome: Extract<Outcome, { kind: 'succeeded' }>,
  ): Promise<StoredStep | Answer> {
    const { result, log } = outcome;
    const next = await this.#onlyNext(node);
    const over = await this.#unsettled.idle();
    if (over) return this.#leave(over);
    const at = this.#context.now();
    const ended = { step: stored, end: outcome, at, gates: result.gates, log: log.text, billed: true };
    const current = next && { node: next.node, holder: this.#execution };
    if (next && current && this.#mayWaitBefore(next, ended)) {
      this.#unsettled.add(ended, log, { ...current, at });
      return this.#begunAt(current.node, at);
    }
    const endsRun = !next && this.#isLast(node);
    const settled = await this.#unsettled.settleWith(ended, log, { next: current, endsRun });
    if (!next || !settled.begunAt) return this.#leave(settled.over);
    // A failed release is repeated at the end: it must not cost the next step its attempt.
    if (!next.isAwaitedByOthers) await this.#releaseStored().catch((error) => this.#worker.report(error));
    return this.#begunAt(next.node, settled.begunAt);
  }

  /** Whether the run ends with this node. */
  #isLast(node: Node): boolean {
    const { plan } = this.#stepContext;
    const { pending } = plan.nodes[plan.end]!.initial;
    return pending.length === 1 && pending[0] === node.index && node.feeds.length === 1;
  }

  #mayWaitBefore(next: Successor, ended: Ended): boolean {
    const { dag, plan } = this.#stepContext;
    if (!this.#mayWait || !next.isAwaitedByOthers) return false;
    return this.#unsettled.mayWait(ended, stepOf(dag, plan.nodes[ended.step.index]!), stepOf(dag, next.node));
  }

  /** Continues after steps that another worker has taken over, or that have ended without beginning the next one. */
  async #leave(over: Over): Promise<StoredStep | Answer> {
    if (over.kind === 'fenced') return DONE;
    const stored = this.#unsettled.takeStored();
    // A run that has ended has no steps left to start.
    if (over.kind === 'ended') return DONE;
    this.#unsettled = unsettledEnds(this.#worker, this.#stepContext);
    return this.#continueAfter(stored, over.run);
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
      return node.feeds.length === 1 && (await this.#onlyNext(node))?.node.after.includes(node.index) === true;
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
   * The only next step, if it waits for nothing else: it can then begin in the same transaction. In a retried run its
   * number of attempts would have to be read first.
   */
  async #onlyNext(node: Node): Promise<Successor | undefined> {
    const { run, plan } = this.#stepContext;
    if (run.attempt > 1 || !this.#mayContinue()) return undefined;
    const next = successorOf(plan, node);
    if (!next) return undefined;
    // The worker that begins the step meets the same error and reports it with its attempt.
    const nextCompute = computeOf(this.#worker, this.#stepContext, { ...this.#job, index: next.node.index });
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

  /**
   * Releases the steps that waited for ended ones, keeps one that became ready and starts executions for the others.
   */
  async #continueAfter(ended: readonly StoredEnd[], run: StoredRun): Promise<StoredStep | Answer> {
    if (run.cancelRequestedAt) {
      await stopRun(this.#context, run);
      return DONE;
    }
    const ready = await this.#release(ended, run);
    const [mine, ...others] = this.#mayContinue() ? ready : [undefined, ...ready];
    const [begun] = await Promise.all([
      mine === undefined ? undefined : this.#take({ ...this.#job, index: mine }),
      launchSteps(this.#context, this.#job, others as number[]),
    ]);
    return begun ?? DONE;
  }

  /**
   * Releases the other steps that wait for the stored ends; this worker keeps the next step. A crash before the release
   * is repaired like any crash between storing an end and releasing its dependents.
   */
  async #releaseStored(): Promise<void> {
    const stored = this.#unsettled.takeStored();
    if (stored.length === 0) return;
    try {
      await launchSteps(this.#context, this.#job, await this.#release(stored));
    } catch (error) {
      this.#unsettled.keepStored(stored);
      throw error;
    }
  }

  /**
   * Releases the nodes that wait for succeeded steps. Returns the steps that became ready, or none if the run is over.
   * `seen` is the run as it was when the last of the succeeded steps ended.
   */
  async #release(succeeded: readonly StoredEnd[], seen?: StoredRun): Promise<number[]> {
    const over = succeeded.map((end) => ({ ...end, status: 'succeeded', skipReason: null }) as const);
    const { ready, end, stopped } = await release(this.#context, this.#stepContext.plan, this.#job, over);
    if (end) await endRun(this.#context, this.#job, { status: end, ...(seen ? { seen } : {}) });
    if (stopped) await stopRun(this.#context, seen ?? this.#stepContext.run);
    return end || stopped ? [] : ready;
  }

  async #take(job: StepJob): Promise<StoredStep | Answer | undefined> {
    const stored = await readNode(this.#context, job);
    if (!stored) return undefined;
    const found = await beginHere(this.#worker, this.#stepContext, job, this.#execution, stored);
    return 'stored' in found ? found.stored : found;
  }
}

const unsettledEnds = ({ context, lightMs }: Worker, { run }: StepContext) => new UnsettledEnds(context, run, lightMs);

const stepOf = (dag: Dag, { stepId }: Node): Step => dag.steps.find(({ id }) => id === stepId)!;

const isAnswer = (current: StoredStep | Answer): current is Answer =>
  'kind' in current && ['done', 'again', 'elsewhere', 'query'].includes(current.kind);

import {
  bytesOf,
  chooseCompute,
  type Dag,
  type Node,
  nodeInputs,
  type Plan,
  type PortableStep,
  type StepCompute,
  timeoutSecondsOf,
} from '../../../../shared/domains/pipelines/definition/index.ts';
import { rowsAtPort, valuesOfNode } from '../../../../shared/domains/pipelines/runs/index.ts';
import {
  planOf,
  type RunContext,
  type RunJob,
  readNodes,
  readRunAndNode,
  type StepJob,
  type StepOutput,
  type StoredRun,
  type StoredStep,
} from '../../../../shared/domains/pipelines/store/index.ts';
import { readTriggerInput, type TriggerInput } from '../../../../shared/domains/pipelines/triggers/index.ts';
import { checkStep } from './athena/check-step.ts';
import type { Worker } from './attempt.ts';
import { KeptRows } from './kept-rows.ts';

/** The run of an invocation, with cached data about it. */
export interface StepContext {
  run: StoredRun;
  dag: Dag;
  plan: Plan;
  input: TriggerInput;
  /** Cached outputs of steps, so that the next one need not read the table. */
  outputs: Map<number, StepOutput | undefined>;
  /** Whether large steps can move to Athena. */
  checked: Map<number, PortableStep>;
  /** Rows that were not stored and that this worker still has. */
  kept: KeptRows;
  /** Log lines about the choice of compute, by step. */
  notes: Map<number, string[]>;
}

/** The step of a job and its context; undefined when its run has ended or was retried. */
export async function openStep(
  { context, cache }: Worker,
  job: StepJob,
): Promise<{ stepContext: StepContext; stored: StoredStep | undefined } | undefined> {
  const { run, node: stored } = await readRunAndNode(context.table, job);
  if (run?.status !== 'running' || run.attempt !== job.epoch) return undefined;
  const dag = await context.dags.get(run.workspaceId, run.dagHash);
  const [plan, input] = await Promise.all([
    planOf(context, run),
    run.trigger.kind === 'webhook' || run.trigger.kind === 'file_arrival'
      ? readTriggerInput(context.table, run.workspaceId, run.id)
      : {},
  ]);
  const kept = new KeptRows(cache);
  const stepContext = { run, dag, plan, input, outputs: new Map(), checked: new Map(), kept, notes: new Map() };
  return { stepContext, stored };
}

const stepOf = ({ dag }: StepContext, node: Node) => dag.steps.find((candidate) => candidate.id === node.stepId)!;

/** The rows of each input of a node, by alias. */
export async function inputsOfNode(
  context: RunContext,
  stepContext: StepContext,
  job: RunJob,
  node: Node,
): Promise<Record<string, StepOutput[]>> {
  const { dag, plan, outputs } = stepContext;
  const sources = nodeInputs(dag, plan, node);
  const unknown = sources.flatMap(({ indexes }) => indexes).filter((index) => !outputs.has(index));
  if (unknown.length > 0) {
    const nodes = await readNodes(context.table, job, [...new Set(unknown)]);
    for (const [index, stored] of nodes) outputs.set(index, stored.output);
  }
  return Object.fromEntries(
    sources.map(({ alias, port, indexes }) => [
      alias,
      indexes.flatMap((index) => rowsAtPort(outputs.get(index), port)),
    ]),
  );
}

/** Chooses what runs a step. */
export async function computeOf(worker: Worker, stepContext: StepContext, job: StepJob): Promise<StepCompute> {
  const { run, plan } = stepContext;
  const node = plan.nodes[job.index]!;
  const seconds = timeoutSecondsOf(stepOf(stepContext, node));
  // When the pipeline sets a size, the inputs do not matter and need not be read.
  const inputs = run.computeSize ? {} : await inputsOfNode(worker.context, stepContext, job, node);
  const inputBytes = bytesOf(inputs);
  const { reason: _reason, ...compute } = chooseCompute(
    { requested: run.computeSize, seconds, inputBytes },
    worker.extra,
  );
  if (!worker.athena || inputBytes <= worker.athena.fromBytes) return compute;
  // Athena reads the bucket, where fused rows are not.
  if (Object.values(inputs).some((outputs) => outputs.some(({ fused }) => fused))) return compute;
  const checked = await checkedOf(worker, stepContext, job);
  if (checked.moves) return { engine: 'athena' };
  stepContext.notes.set(job.index, [whyNotOnAthena(checked)]);
  return compute;
}

/** The log line that explains why a step stays on DuckDB. */
export function whyNotOnAthena({ reasons }: Extract<PortableStep, { moves: false }>): string {
  const sentences = reasons.map(({ pointer, message }) => (pointer ? `${pointer}: ${message}` : message));
  return `It cannot run in Athena. ${sentences.join(' ')}`;
}

/** Checks whether a step can move to Athena; it stays if the check fails. */
export async function checkedOf(worker: Worker, stepContext: StepContext, job: StepJob): Promise<PortableStep> {
  const known = stepContext.checked.get(job.index);
  if (known) return known;
  const node = stepContext.plan.nodes[job.index]!;
  const inputs = await inputsOfNode(worker.context, stepContext, job, node);
  const checked = await checkStep(worker, stepOf(stepContext, node), inputs, valuesOfNode(stepContext, node)).catch(
    (thrown: unknown): PortableStep => {
      worker.report(thrown as Error);
      const name = thrown instanceof Error ? thrown.name : 'unknown';
      return { moves: false, reasons: [{ message: `Something went wrong on our side (${name}).` }] };
    },
  );
  stepContext.checked.set(job.index, checked);
  return checked;
}

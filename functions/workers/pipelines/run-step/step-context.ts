import {
  bytesOf,
  chooseCompute,
  type Dag,
  type Node,
  nodeInputs,
  type Plan,
  type PortableStep,
  planOf,
  type ReferenceValues,
  type RunContext,
  type RunJob,
  readNodes,
  readTriggerInput,
  runRepository,
  type StepCompute,
  type StepJob,
  type StepOutput,
  type StoredRun,
  type TriggerInput,
  timeoutSecondsOf,
} from '../../../../shared/domains/pipelines/index.ts';
import { checkStep } from './athena/check-step.ts';
import type { Worker } from './attempt.ts';

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
  /** Log lines about the choice of compute, by step. */
  notes: Map<number, string[]>;
}

/** The context of a job; undefined when its run has ended or was retried. */
export async function stepContextOf({ context }: Worker, job: StepJob): Promise<StepContext | undefined> {
  const run = await runRepository(context.table).get(job.workspaceId, job.runId);
  if (run?.status !== 'running' || run.attempt !== job.epoch) return undefined;
  const dag = await context.dags.get(run.workspaceId, run.dagHash);
  const [plan, input] = await Promise.all([
    planOf(context, run),
    run.trigger.kind === 'webhook' || run.trigger.kind === 'file_arrival'
      ? readTriggerInput(context.table, run.workspaceId, run.id)
      : {},
  ]);
  return { run, dag, plan, input, outputs: new Map(), checked: new Map(), notes: new Map() };
}

/** The values of references in the texts of a node. */
export function valuesOf({ run, dag, input }: StepContext, node: Node): ReferenceValues {
  const block = dag.forEach?.find((candidate) => candidate.steps.includes(node.stepId));
  const { id, logicalDate, intervalStart, intervalEnd } = run;
  return {
    params: run.parameters,
    run: { id, logicalDate, intervalStart, intervalEnd },
    forEach: block && node.item !== null ? { [block.id]: { item: node.item, index: node.itemIndex! } } : {},
    trigger: {
      body: input.body ?? null,
      files: input.files?.map(({ path }) => path) ?? null,
      upstreamRunId: run.trigger.upstreamRunId,
    },
  };
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
    sources.map(({ alias, port, indexes }) => [alias, indexes.flatMap((index) => rowsOf(outputs.get(index), port))]),
  );
}

/** Chooses what runs a step. */
export async function computeOf(worker: Worker, stepContext: StepContext, job: StepJob): Promise<StepCompute> {
  const { run, plan } = stepContext;
  const node = plan.nodes[job.index]!;
  const seconds = timeoutSecondsOf(stepOf(stepContext, node));
  // When the pipeline sets a size, the inputs do not matter and need not be read.
  const inputBytes = run.computeSize ? 0 : bytesOf(await inputsOfNode(worker.context, stepContext, job, node));
  const { reason: _reason, ...compute } = chooseCompute(
    { requested: run.computeSize, seconds, inputBytes },
    worker.extra,
  );
  if (!worker.athena || inputBytes <= worker.athena.fromBytes) return compute;
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
  const checked = await checkStep(worker, stepOf(stepContext, node), inputs, valuesOf(stepContext, node)).catch(
    (thrown: unknown): PortableStep => {
      worker.report(thrown as Error);
      const name = thrown instanceof Error ? thrown.name : 'unknown';
      return { moves: false, reasons: [{ message: `Something went wrong on our side (${name}).` }] };
    },
  );
  stepContext.checked.set(job.index, checked);
  return checked;
}

/** The rows that a dependent reads from an output; of a route, those of the port that it names. */
function rowsOf(output: StepOutput | undefined, port: string | undefined): StepOutput[] {
  if (!output) return [];
  return [port === undefined ? output : { ...output, ...output.ports![port]! }];
}

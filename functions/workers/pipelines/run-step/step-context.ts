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

/** The run that an invocation works for, as far as it is known here. */
export interface StepContext {
  run: StoredRun;
  dag: Dag;
  plan: Plan;
  brought: TriggerInput;
  /** What steps have made, as far as it is known here: the next one need not ask the table. */
  outputs: Map<number, StepOutput | undefined>;
  /** Whether large steps can move to Athena. */
  checked: Map<number, PortableStep>;
  /** What the log of a step says of what works on it. */
  notes: Map<number, string[]>;
}

/** The situation of a job whose run is still under way. */
export async function situationOf({ context }: Worker, job: StepJob): Promise<StepContext | undefined> {
  const run = await runRepository(context.table).get(job.workspaceId, job.runId);
  if (run?.status !== 'running' || run.attempt !== job.epoch) return undefined;
  const dag = await context.dags.get(run.workspaceId, run.dagHash);
  const [plan, brought] = await Promise.all([
    planOf(context, run),
    run.trigger.kind === 'webhook' || run.trigger.kind === 'file_arrival'
      ? readTriggerInput(context.table, run.workspaceId, run.id)
      : {},
  ]);
  return { run, dag, plan, brought, outputs: new Map(), checked: new Map(), notes: new Map() };
}

/** What the references of a node's texts stand for. */
export function valuesOf({ run, dag, brought }: StepContext, node: Node): ReferenceValues {
  const block = dag.forEach?.find((candidate) => candidate.steps.includes(node.stepId));
  const { id, logicalDate, intervalStart, intervalEnd } = run;
  return {
    params: run.parameters,
    run: { id, logicalDate, intervalStart, intervalEnd },
    forEach: block && node.item !== null ? { [block.id]: { item: node.item, index: node.itemIndex! } } : {},
    trigger: {
      body: brought.body ?? null,
      files: brought.files?.map(({ path }) => path) ?? null,
      upstreamRunId: run.trigger.upstreamRunId,
    },
  };
}

const stepOf = ({ dag }: StepContext, node: Node) => dag.steps.find((candidate) => candidate.id === node.stepId)!;

/** The rows of each input of a node, by alias. */
export async function inputsOfNode(
  context: RunContext,
  situation: StepContext,
  job: RunJob,
  node: Node,
): Promise<Record<string, StepOutput[]>> {
  const { dag, plan, outputs } = situation;
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

/** What is to work on a step. */
export async function computeOf(worker: Worker, situation: StepContext, job: StepJob): Promise<StepCompute> {
  const { run, plan } = situation;
  const node = plan.nodes[job.index]!;
  const seconds = timeoutSecondsOf(stepOf(situation, node));
  // Where the pipeline asks for a size, the inputs do not matter and need not be read.
  const inputBytes = run.computeSize ? 0 : bytesOf(await inputsOfNode(worker.context, situation, job, node));
  const { reason: _reason, ...compute } = chooseCompute({ asked: run.computeSize, seconds, inputBytes }, worker.extra);
  if (!worker.athena || inputBytes <= worker.athena.fromBytes) return compute;
  const checked = await checkedOf(worker, situation, job);
  if (checked.moves) return { engine: 'athena' };
  situation.notes.set(job.index, [whyNot(checked)]);
  return compute;
}

/** For the log of a step: why it stays on DuckDB. */
export function whyNot({ reasons }: Extract<PortableStep, { moves: false }>): string {
  const told = reasons.map(({ pointer, message }) => (pointer ? `${pointer}: ${message}` : message));
  return `It cannot move to Athena. ${told.join(' ')}`;
}

/** Whether a step can move to Athena, and what it is there. Where that cannot be found out, it stays. */
export async function checkedOf(worker: Worker, situation: StepContext, job: StepJob): Promise<PortableStep> {
  const known = situation.checked.get(job.index);
  if (known) return known;
  const node = situation.plan.nodes[job.index]!;
  const inputs = await inputsOfNode(worker.context, situation, job, node);
  const checked = await checkStep(worker, stepOf(situation, node), inputs, valuesOf(situation, node)).catch(
    (thrown: unknown): PortableStep => {
      worker.report(thrown as Error);
      const name = thrown instanceof Error ? thrown.name : 'unknown';
      return { moves: false, reasons: [{ message: `Something went wrong on our side (${name}).` }] };
    },
  );
  situation.checked.set(job.index, checked);
  return checked;
}

/** What a dependent gets of an output: of a route, the rows of the port that it names. */
function rowsOf(output: StepOutput | undefined, port: string | undefined): StepOutput[] {
  if (!output) return [];
  return [port === undefined ? output : { ...output, ...output.ports![port]! }];
}

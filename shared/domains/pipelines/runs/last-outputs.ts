import type { Table } from '../../../platform/storage/table.ts';
import type { Dag, Step } from '../definition/index.ts';
import { inputsOf, portOf } from '../definition/index.ts';
import type { StepOutput, StoredRun, StoredStep } from '../store/index.ts';
import { readSteps, runRepository } from '../store/index.ts';

/** Outputs of steps expire after 30 days. */
const RETENTION_MS = 29 * 24 * 60 * 60 * 1000;
const MAX_RUNS = 10;

export interface LastInputs {
  run: StoredRun;
  /** The outputs that each input reads, by alias. In a block they are those of the first item. */
  inputs: Record<string, StepOutput[]>;
  nodes: StoredStep[];
}

/** Finds the newest run with all the rows that a step would read; undefined if there is none. */
export async function lastInputsOf(
  table: Table,
  place: { workspaceId: string; pipelineId: string },
  dag: Dag,
  step: Step,
  now: Date,
): Promise<LastInputs | undefined> {
  const { workspaceId, pipelineId } = place;
  const page = { limit: MAX_RUNS, offset: 0 };
  const { items } = await runRepository(table).list(workspaceId, page, pipelineId);
  for (const run of items) {
    if (Date.parse(run.createdAt) < now.getTime() - RETENTION_MS) return undefined;
    const nodes = await readSteps(table, workspaceId, run.id);
    const inputs = inputsFrom(nodes, dag, step);
    if (inputs) return { run, inputs, nodes };
  }
  return undefined;
}

/** The output columns of a step in the newest run that has them; undefined if there is none. */
export async function lastColumnsOf(
  table: Table,
  { workspaceId, pipelineId }: { workspaceId: string; pipelineId: string },
  stepId: string,
  now: Date,
): Promise<StepOutput['columns'] | undefined> {
  const { items } = await runRepository(table).list(workspaceId, { limit: MAX_RUNS, offset: 0 }, pipelineId);
  for (const run of items) {
    if (Date.parse(run.createdAt) < now.getTime() - RETENTION_MS) return undefined;
    const nodes = await readSteps(table, workspaceId, run.id);
    const found = nodes.find((node) => node.kind === 'step' && node.stepId === stepId && node.output);
    if (found?.output) return found.output.columns;
  }
  return undefined;
}

function inputsFrom(nodes: readonly StoredStep[], dag: Dag, step: Step): LastInputs['inputs'] | undefined {
  const loads = new Set(dag.steps.filter(({ type }) => type === 'load').map(({ id }) => id));
  const block = dag.forEach?.find(({ steps }) => steps.includes(step.id));
  const inputs: LastInputs['inputs'] = {};
  for (const [alias, id] of Object.entries(inputsOf(step, loads))) {
    const isInner = block?.steps.includes(id) ?? false;
    const outputs = nodes
      .filter((node) => node.kind === 'step' && node.stepId === id && node.status === 'succeeded')
      .filter((node) => !isInner || node.itemIndex === 0)
      .flatMap(({ output }) => output ?? [])
      .filter(({ fused }) => !fused?.lacksInput)
      .flatMap((output) => atPort(output, portOf(step, id)) ?? []);
    if (outputs.length === 0) return undefined;
    inputs[alias] = outputs;
  }
  return inputs;
}

/** The rows of the port that the step names; a run of an older definition may not have it. */
function atPort(output: StepOutput, port: string | undefined): StepOutput | undefined {
  if (port === undefined) return output.ports ? undefined : output;
  const { ports = {} } = output;
  return Object.hasOwn(ports, port) ? { ...output, ...ports[port] } : undefined;
}

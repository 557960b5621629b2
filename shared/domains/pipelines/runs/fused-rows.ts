import type { Column } from '../../../data/duckdb/column-types.ts';
import { unionColumns } from '../../../data/tables/column-union.ts';
import type { Dag } from '../definition/index.ts';
import { type CompiledStep, compileStep, nodeInputs, planRun } from '../definition/index.ts';
import type { StepOutput, StoredRun, StoredStep } from '../store/index.ts';
import type { TriggerInput } from '../triggers/index.ts';
import { valuesOfNode } from './node-values.ts';
import { rowsAtPort } from './rows-at-port.ts';

/** What computes rows that a run has not stored. */
export interface FusedRows {
  compiled: CompiledStep;
  /** The rows that it reads, by the names of its tables; they may be fused rows themselves. */
  inputs: Record<string, StepOutput[]>;
}

/** A run as it is stored; `dag` is its own definition. */
export interface RunParts {
  run: StoredRun;
  dag: Dag;
  input: TriggerInput;
  nodes: readonly StoredStep[];
}

/** Finds out how the fused rows of a run were computed. */
export function fusedRowsOf(parts: RunParts, index: number): FusedRows {
  const { run, dag, nodes } = parts;
  const plan = planRun(dag, run.parameters);
  const node = plan.nodes[index]!;
  const stored = new Map(nodes.map((each) => [each.index, each]));
  const inputs = Object.fromEntries(
    nodeInputs(dag, plan, node).map(({ alias, port, indexes }) => [
      alias,
      indexes.flatMap((each) => rowsAtPort(stored.get(each)?.output, port)),
    ]),
  );
  const columns = Object.fromEntries(Object.entries(inputs).map(([alias, outputs]) => [alias, columnsOf(outputs)]));
  const step = dag.steps.find(({ id }) => id === node.stepId)!;
  const compilation = compileStep(step, columns, valuesOfNode(parts, node));
  if (!compilation?.ok) throw new Error(`the fused step ${step.id} of run ${run.id} has run but cannot be compiled`);
  return { compiled: compilation.compiled, inputs };
}

/** The union by name of the columns of all outputs, as a step sees them. */
export function columnsOf(outputs: readonly StepOutput[]): Column[] {
  return outputs
    .map(({ columns }): Column[] => columns)
    .reduce((met, next) => unionColumns(met, next, 'as_text').columns);
}

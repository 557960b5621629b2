import type { Dag } from './dag.ts';
import type { Node, Plan } from './plan.ts';
import { inputsOf, portOf } from './step-configs.ts';

/** An input of a node: the nodes whose rows it is, and which port of theirs. */
export interface NodeInput {
  alias: string;
  port: string | undefined;
  indexes: number[];
}

/** What a node reads of others; those that it only waits for are not among them. */
export function nodeInputs(dag: Dag, plan: Plan, node: Node): NodeInput[] {
  const step = dag.steps.find((candidate) => candidate.id === node.stepId)!;
  const loads = new Set(dag.steps.filter((candidate) => candidate.type === 'load').map(({ id }) => id));
  return Object.entries(inputsOf(step, loads)).map(([alias, id]) => ({
    alias,
    port: portOf(step, id),
    indexes: node.after
      .map((index) => plan.nodes[index]!)
      .filter((before) => before.stepId === id)
      .flatMap((before) => (before.kind === 'barrier' ? before.after : [before.index])),
  }));
}

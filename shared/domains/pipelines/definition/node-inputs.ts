import type { Dag } from './dag.ts';
import type { Node, Plan } from './plan.ts';
import { inputsOf, portOf } from './step-configs.ts';

/** An input of a node: the nodes that produce its rows, and the port that it reads from them. */
export interface NodeInput {
  alias: string;
  port: string | undefined;
  indexes: number[];
}

/** The inputs of a node, without the nodes that it only waits for. */
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

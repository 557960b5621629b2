import type { Dag, Node, ReferenceValues } from '../definition/index.ts';
import type { StoredRun } from '../store/index.ts';
import type { TriggerInput } from '../triggers/index.ts';

/** The values of references in the texts of a node. */
export function valuesOfNode(
  { run, dag, input }: { run: StoredRun; dag: Dag; input: TriggerInput },
  node: Node,
): ReferenceValues {
  const { id, logicalDate, intervalStart, intervalEnd } = run;
  return {
    params: run.parameters,
    run: { id, logicalDate, intervalStart, intervalEnd },
    forEach: forEachValuesOf(dag, node),
    trigger: {
      body: input.body ?? null,
      files: input.files?.map(({ path }) => path) ?? null,
      upstreamRunId: run.trigger.upstreamRunId,
    },
  };
}

/** The item of the block that the node is an instance of. */
export function forEachValuesOf(dag: Dag, { stepId, item, itemIndex }: Node): ReferenceValues['forEach'] {
  const block = dag.forEach?.find((candidate) => candidate.steps.includes(stepId));
  return block && item !== null ? { [block.id]: { item, index: itemIndex! } } : {};
}

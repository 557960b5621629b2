import type { Dag, Node, ReferenceValues } from '../definition/index.ts';
import type { StoredRun } from '../store/index.ts';
import type { TriggerInput } from '../triggers/index.ts';

/** The values of references in the texts of a node. */
export function valuesOfNode(
  { run, dag, input }: { run: StoredRun; dag: Dag; input: TriggerInput },
  node: Node,
): ReferenceValues {
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

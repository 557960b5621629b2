import type { Dag } from '../definition/dag.ts';
import type { Node } from '../definition/plan.ts';
import type { ReferenceValues } from '../definition/references.ts';
import type { StoredRun } from '../store/run-record.ts';
import type { TriggerInput } from '../triggers/trigger-input.ts';

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

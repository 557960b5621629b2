import {
  copyPlaceOf,
  fillTemplate,
  type Node,
  readsOfDag,
  type Step,
} from '../../../../shared/domains/pipelines/definition/index.ts';
import { forEachValuesOf } from '../../../../shared/domains/pipelines/runs/index.ts';
import { pipelineRepository } from '../../../../shared/domains/pipelines/store/index.ts';
import { readsAnything, whyRefused } from '../../../../shared/domains/semantics/row-rights/index.ts';
import { type Attempt, StepFailure } from './attempt.ts';

/**
 * Throws `RLS_COPY` if the definition may not copy what the step reads: an extract directly, and a load by the extracts
 * that its rows come from, also if these ran before a policy came. It does not matter who starts the run: the rows are
 * for everyone who sees what the pipeline loads.
 */
export async function rejectCopy(attempt: Attempt): Promise<void> {
  const { worker, run, dag } = attempt;
  const { workspaceId, pipelineId } = run;
  const reads = readsOfDag({ steps: extractsBehind(attempt) });
  if (!readsAnything(reads)) return;
  const refused = await whyRefused(worker.copies, {
    place: copyPlaceOf({ workspaceId, id: pipelineId }, dag),
    createdBy: async () =>
      (await pipelineRepository(worker.copies.table).get(workspaceId, pipelineId))?.createdBy ?? null,
    reads,
  });
  if (refused !== undefined) throw new StepFailure('RLS_COPY', refused);
}

/** The extracts among the node and those that it gets rows from, with the names that they read in this run. */
function extractsBehind({ dag, plan, node, values }: Attempt): Step[] {
  const steps = new Map(dag.steps.map((step) => [step.id, step]));
  const behind = new Set<Node>([node]);
  // Nodes that are added while the set is read are read too.
  for (const each of behind) for (const index of each.after) behind.add(plan.nodes[index]!);
  return [...behind].flatMap((each) => {
    const step = each.kind === 'step' ? steps.get(each.stepId) : undefined;
    if (step?.type !== 'extract') return [];
    const object = { ...(step.config.object as Record<string, unknown>) };
    const filled = { ...values, forEach: forEachValuesOf(dag, each) };
    for (const name of ['dataset', 'schema', 'table'])
      if (typeof object[name] === 'string') object[name] = fillTemplate(object[name], filled);
    return [{ ...step, config: { ...step.config, object } }];
  });
}

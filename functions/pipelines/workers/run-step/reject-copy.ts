import { copyPlaceOf, fillTemplate, readsOfStep } from '../../../../shared/domains/pipelines/definition/index.ts';
import { pipelineRepository } from '../../../../shared/domains/pipelines/store/index.ts';
import { whyRefused } from '../../../../shared/domains/semantics/row-rights/index.ts';
import { type Attempt, StepFailure } from './attempt.ts';

/**
 * Throws `RLS_COPY` if the definition may not copy what the extract reads. It does not matter who starts the run: the rows are for
 * everyone who sees what the pipeline loads.
 */
export async function rejectCopy({ worker, run, dag, step, values }: Attempt): Promise<void> {
  const { workspaceId, pipelineId } = run;
  const object = { ...(step.config.object as Record<string, unknown>) };
  for (const name of ['dataset', 'schema', 'table'])
    if (typeof object[name] === 'string') object[name] = fillTemplate(object[name], values);
  const refused = await whyRefused(worker.copies, {
    place: copyPlaceOf({ workspaceId, id: pipelineId }, dag),
    createdBy: async () =>
      (await pipelineRepository(worker.copies.table).get(workspaceId, pipelineId))?.createdBy ?? null,
    reads: readsOfStep({ ...step, config: { ...step.config, object } }),
  });
  if (refused !== undefined) throw new StepFailure('RLS_COPY', refused);
}

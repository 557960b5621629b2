import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import type { StoredPipeline } from '../../../shared/domains/pipelines/store/pipeline-record.ts';
import type { StoredRun } from '../../../shared/domains/pipelines/store/run-record.ts';
import type { StoredStep } from '../../../shared/domains/pipelines/store/step-record.ts';
import type { RunSetup } from './run-setup.ts';

export const ONCE = { maxAttempts: 1 };

export const sql = (id: string, text: string, dependsOn: string[] = [], more: Partial<Step> = {}): Step => ({
  id,
  type: 'transform_sql',
  config: { sql: text },
  dependsOn,
  retry: ONCE,
  ...more,
});

export const load = (id: string, from: string, config: Record<string, unknown>, more: Partial<Step> = {}): Step => ({
  id,
  type: 'load',
  config,
  dependsOn: [from],
  retry: ONCE,
  ...more,
});

export const code = (dependsOn: string, more: object = {}): Step => ({
  id: 'code',
  type: 'transform_code',
  dependsOn: [dependsOn],
  retry: ONCE,
  config: { code: 'function transform(rows) { return rows }', ...more },
});

export const dagOf = (...steps: Step[]): Dag => ({ version: 1, steps });
export const into = (name: string) => ({ kind: 'dataset', name });

/** Runs a definition once. */
export async function ranOn(
  setup: RunSetup,
  dag: Dag,
  more: Parameters<RunSetup['run']>[1] = {},
): Promise<{ pipeline: StoredPipeline; run: StoredRun; steps: Map<string, StoredStep> }> {
  const pipeline = await setup.pipeline(dag);
  const run = await setup.run(pipeline, more);
  await setup.drain();
  const steps = await setup.steps(run.id);
  return { pipeline, run: await setup.stored(run.id), steps: new Map(steps.map((step) => [step.stepId, step])) };
}

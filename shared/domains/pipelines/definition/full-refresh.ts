import type { Issue } from '../../../platform/errors/app-error.ts';
import { didYouMean } from '../../../platform/text/nearest.ts';
import type { Dag } from './dag.ts';

type FullRefresh = true | readonly string[] | undefined;

/** Whether a step reads all rows again in a run. */
export const isRefreshed = (fullRefresh: FullRefresh, stepId: string): boolean =>
  fullRefresh === true || fullRefresh?.includes(stepId) === true;

/** Reports steps that are not incremental extracts of the definition. */
export function fullRefreshIssues(dag: Pick<Dag, 'steps'>, fullRefresh: FullRefresh): Issue[] {
  if (fullRefresh === undefined || fullRefresh === true) return [];
  const incremental = dag.steps
    .filter(({ type, config }) => type === 'extract' && config.mode === 'incremental')
    .map(({ id }) => id);
  return fullRefresh.flatMap((id, index) => {
    const pointer = `/fullRefresh/${index}`;
    if (incremental.includes(id)) return [];
    if (!dag.steps.some((step) => step.id === id)) {
      return [{ pointer, code: 'STEP_UNKNOWN', message: `Unknown step "${id}"${didYouMean(id, incremental)}` }];
    }
    const message = `The step "${id}" is not an extract in mode incremental, so it reads all rows in every run.`;
    return [{ pointer, code: 'NOT_INCREMENTAL', message }];
  });
}

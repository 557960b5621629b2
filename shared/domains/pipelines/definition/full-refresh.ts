import type { Issue } from '../../../platform/errors/app-error.ts';
import { didYouMean } from '../../../platform/text/nearest.ts';
import type { Dag } from './dag.ts';
import { readsStreamOf } from './stream-loads.ts';

type FullRefresh = true | readonly string[] | undefined;

/** Whether a step reads all rows again in a run. */
export const isRefreshed = (fullRefresh: FullRefresh, stepId: string): boolean =>
  fullRefresh === true || fullRefresh?.includes(stepId) === true;

/**
 * Reports steps that are not incremental extracts of the definition, and extracts of CDC streams: reading their rows
 * again would pass over the deletions since the last load.
 */
export function fullRefreshIssues(dag: Pick<Dag, 'steps'>, fullRefresh: FullRefresh): Issue[] {
  if (fullRefresh === undefined) return [];
  const incremental = dag.steps.filter(({ type, config }) => type === 'extract' && config.mode === 'incremental');
  if (fullRefresh === true) {
    return incremental.filter(readsStreamOf).map(({ id }) => streamIssue('/fullRefresh', id));
  }
  const ids = incremental.map(({ id }) => id);
  return fullRefresh.flatMap((id, index) => {
    const pointer = `/fullRefresh/${index}`;
    const step = dag.steps.find((each) => each.id === id);
    if (!step) return [{ pointer, code: 'STEP_UNKNOWN', message: `Unknown step "${id}"${didYouMean(id, ids)}` }];
    if (ids.includes(id)) return readsStreamOf(step) ? [streamIssue(pointer, id)] : [];
    const message = `The step "${id}" is not an extract in mode incremental, so it reads all rows in every run.`;
    return [{ pointer, code: 'NOT_INCREMENTAL', message }];
  });
}

const streamIssue = (pointer: string, id: string): Issue => ({
  pointer,
  code: 'NOT_ALLOWED',
  message: `The step "${id}" reads a CDC stream, whose deletions since the last load would be lost. Resync the table of the stream instead, or name the other steps.`,
});

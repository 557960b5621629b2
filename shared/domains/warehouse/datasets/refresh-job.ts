import type { NewJob } from '../../../platform/jobs/jobs.ts';
import type { JobTrigger } from '../../../platform/jobs/record.ts';
import type { Dataset } from './record.ts';

/** The input of a refresh: the names for the event of its failure. */
export function refreshInput({ name, source }: Pick<Dataset, 'name' | 'source'>): Record<string, unknown> {
  return { datasetName: name, sourceId: source && 'sourceId' in source ? source.sourceId : null };
}

export function refreshJob(id: string, dataset: Dataset, trigger: JobTrigger): NewJob {
  const { workspaceId, id: subjectId } = dataset;
  return { id, workspaceId, kind: 'dataset_refresh', subjectId, trigger, input: refreshInput(dataset) };
}

import type { NewJob } from '../../../platform/jobs/jobs.ts';
import type { JobTrigger } from '../../../platform/jobs/record.ts';
import type { StoredDataSource } from './record.ts';

/** The input of a sync: the name for the event of its failure. */
export const syncInput = ({ name }: Pick<StoredDataSource, 'name'>): Record<string, unknown> => ({ sourceName: name });

export function syncJob(id: string, source: StoredDataSource, trigger: JobTrigger): NewJob {
  const { workspaceId, id: subjectId } = source;
  return { id, workspaceId, kind: 'source_sync', subjectId, trigger, input: syncInput(source) };
}

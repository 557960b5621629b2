import type { NewJob } from '../../platform/jobs/jobs.ts';
import type { JobTrigger } from '../../platform/jobs/record.ts';
import type { StoredDataSource } from './record.ts';

/** What a sync is given: the name that its failure is announced with. */
export const syncInput = ({ name }: Pick<StoredDataSource, 'name'>): Record<string, unknown> => ({ sourceName: name });

export function syncJob(id: string, source: StoredDataSource, trigger: JobTrigger): NewJob {
  const { workspaceId, id: subjectId } = source;
  return { id, workspaceId, kind: 'source_sync', subjectId, trigger, input: syncInput(source) };
}

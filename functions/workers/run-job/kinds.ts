import type { JobKind } from '../../../shared/jobs/record.ts';
import type { Table } from '../../../shared/storage/table.ts';
import type { JobWork } from './job-kind.ts';

/** How each kind of job is done. */
export function jobKinds(_table: Table): Partial<Record<JobKind, JobWork>> {
  return {};
}

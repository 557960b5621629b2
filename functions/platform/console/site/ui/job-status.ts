import type { StatusKind } from './status.tsx';

const KINDS: Readonly<Record<string, StatusKind>> = {
  queued: 'waiting',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
  skipped: 'skipped',
};

/** How the status of a job, a run or a step is drawn. */
export const jobStatus = (status: string): StatusKind => KINDS[status] ?? 'waiting';

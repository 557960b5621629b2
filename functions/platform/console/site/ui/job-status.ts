import type { StatusKind } from './status.tsx';

const KINDS: Readonly<Record<string, StatusKind>> = {
  queued: 'waiting',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** How the status of a job is drawn. */
export const jobStatus = (status: string): StatusKind => KINDS[status] ?? 'waiting';

import type { StatusKind } from '../../ui/status.tsx';

export const RUN_STATES: Readonly<Record<string, StatusKind>> = {
  queued: 'running',
  sent: 'succeeded',
  skipped: 'skipped',
  failed: 'failed',
};

import type { StatusKind } from '../../ui/status.tsx';

/** How the API's states are shown. */
export const kindOf = (status: string): StatusKind => (status === 'queued' ? 'waiting' : (status as StatusKind));

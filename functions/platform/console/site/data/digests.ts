import type { StatusKind } from '../ui/status.tsx';
import { api, type Types } from './client.ts';
import { reasonText } from './deliveries.ts';
import { useQuery } from './query.ts';

export type Digest = Types.Digest;
export type DigestRun = Types.DigestRun;

export const useDigest = (id: string) => useQuery(['metrics', 'digests', id], () => api.metrics.getDigest(id));

/** The names of metrics by their ids; those that the person may not see, or that are deleted, have none. */
export const useMetricNames = (ids: readonly string[]): ReadonlyMap<string, string> | undefined =>
  useQuery(
    ['metrics', 'names', ids],
    async () => {
      const found = await Promise.allSettled(ids.map((id) => api.metrics.get(id)));
      return new Map(
        found.flatMap((each) => (each.status === 'fulfilled' ? [[each.value.id, each.value.name] as const] : [])),
      );
    },
    { enabled: ids.length > 0, keepsLast: true },
  ).data;

const STATES: Readonly<Record<string, StatusKind>> = { active: 'running', paused: 'waiting', stopped: 'failed' };

/** How a digest stands. */
export const stateOf = ({ status, stopReason }: Digest): { kind: StatusKind; label: string } => ({
  kind: STATES[status] ?? 'skipped',
  label: stopReason === null ? status : `${status}: ${reasonText(stopReason)}`,
});

import {
  DIGEST_PARTITIONS,
  digestRepository,
  type MetricMessage,
  type MetricQueue,
  nextDigestAt,
  SWEEP_PARTITIONS,
} from '../../../../shared/domains/metric-reports/index.ts';
import type { DueItem } from '../../../../shared/platform/storage/due-items.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { Plan, Scheduled } from './announce-due.ts';

/** Until the work has set another time, or has ended, its message is sent again after this time. */
const AGAIN_MS = { run: 15 * 60_000, sweep: 60 * 60_000 };

/** Digests, whose schedules start runs, and runs that have not ended. */
export function scheduledDigests(table: Table, queue: MetricQueue): Scheduled<MetricMessage> {
  const digests = digestRepository(table);
  return {
    partitions: DIGEST_PARTITIONS,
    queue,
    async find(item) {
      const [, workspaceId, , runDigestId] = item.pk.split('#') as [string, string, string, string?];
      if (runDigestId !== undefined) {
        const runId = item.sk.split('#')[1]!;
        return repeated(item, AGAIN_MS.run, { op: 'digest-run', workspaceId, digestId: runDigestId, runId });
      }
      const digest = await digests.get(workspaceId, item.sk);
      return (
        digest && {
          next: (after) => nextDigestAt(digest, after),
          message: (instant) => ({
            op: 'digest-due',
            workspaceId,
            digestId: digest.id,
            scheduledAt: instant.toISOString(),
          }),
        }
      );
    },
  };
}

/** Certified metrics whose next check for unusual values is due. */
export function scheduledSweeps(queue: MetricQueue): Scheduled<MetricMessage> {
  return {
    partitions: SWEEP_PARTITIONS,
    queue,
    async find(item) {
      const [, workspaceId, , metricId] = item.pk.split('#') as [string, string, string, string];
      return repeated(item, AGAIN_MS.sweep, { op: 'sweep', workspaceId, metricId });
    },
  };
}

/** Due at the time of the item, and from then on at intervals. */
function repeated({ dueAt }: DueItem, everyMs: number, message: MetricMessage): Plan<MetricMessage> {
  const first = Date.parse(dueAt);
  return {
    next: (after) => {
      const passed = Math.floor((after.getTime() - first) / everyMs) + 1;
      return new Date(first + Math.max(0, passed) * everyMs);
    },
    message: () => message,
  };
}

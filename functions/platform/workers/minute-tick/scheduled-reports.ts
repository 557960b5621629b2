import {
  deliveryPartitions,
  nextDeliveryAt,
  type RegisteredDelivery,
  type ReportMessage,
  type ReportQueue,
} from '../../../../shared/domains/delivery/deliveries/index.ts';
import { SWEEP_PARTITIONS } from '../../../../shared/domains/semantics/metric-reports/index.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { repeated, type Scheduled } from './announce-due.ts';

/** Until the work has set another time, or has ended, its message is sent again after this time. */
const AGAIN_MS = { run: 15 * 60_000, sweep: 60 * 60_000 };

/** Deliveries of a kind, whose schedules start runs, and runs that have not ended. */
export function scheduledDeliveries(
  table: Table,
  { kind, deliveries: open }: RegisteredDelivery,
  queue: ReportQueue,
): Scheduled<ReportMessage> {
  const deliveries = open(table);
  return {
    partitions: deliveryPartitions(kind),
    queue,
    async find(item) {
      const [, workspaceId, , runDeliveryId] = item.pk.split('#') as [string, string, string, string?];
      const work = { kind: kind.name, workspaceId };
      if (runDeliveryId !== undefined) {
        const runId = item.sk.split('#')[1]!;
        return repeated(item, AGAIN_MS.run, { op: 'delivery-run', ...work, deliveryId: runDeliveryId, runId });
      }
      const delivery = await deliveries.get(workspaceId, item.sk);
      return (
        delivery && {
          next: (after) => nextDeliveryAt(delivery, after),
          message: (instant) => ({
            ...{ op: 'delivery-due', ...work, deliveryId: delivery.id },
            scheduledAt: instant.toISOString(),
          }),
        }
      );
    },
  };
}

/** Certified metrics whose next check for unusual values is due. */
export function scheduledSweeps(queue: ReportQueue): Scheduled<ReportMessage> {
  return {
    partitions: SWEEP_PARTITIONS,
    queue,
    async find(item) {
      const [, workspaceId, , metricId] = item.pk.split('#') as [string, string, string, string];
      return repeated(item, AGAIN_MS.sweep, { op: 'sweep', workspaceId, metricId });
    },
  };
}

import type { AlertMessage, AlertQueue } from '../../../../shared/domains/alerts/evaluations/index.ts';
import {
  ALERT_PARTITIONS,
  alertRepository,
  NOTICE_PARTITIONS,
  nextDueAt,
  SNOOZE_PARTITIONS,
  snoozeOfItem,
  stateOfItem,
} from '../../../../shared/domains/alerts/rules/index.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { repeated, type Scheduled } from './announce-due.ts';

/** Until the notices are written, their message is sent again after this time. */
const AGAIN_MS = 5 * 60_000;

/**
 * Alerts whose next instant has come. One message stands for all alerts of a workspace with the same instant, because
 * those of one source share an answer.
 */
export function scheduledAlerts(table: Table, queue: AlertQueue): Scheduled<AlertMessage> {
  const alerts = alertRepository(table);
  return {
    partitions: ALERT_PARTITIONS,
    queue: eachOnce(queue),
    async find({ pk, sk }) {
      const workspaceId = pk.split('#')[1]!;
      const alert = await alerts.get(workspaceId, sk);
      return (
        alert && {
          next: (after) => nextDueAt(alert, after),
          message: (instant) => ({ op: 'due', workspaceId, at: instant.toISOString() }),
        }
      );
    },
  };
}

/** Within one tick, the same message is sent once; after a failure it is sent again. */
function eachOnce(queue: AlertQueue): AlertQueue {
  const sent = new Set<string>();
  return {
    async send(messages) {
      const others = messages.filter(({ message }) => !sent.has(JSON.stringify(message)));
      await queue.send(others);
      for (const { message } of others) sent.add(JSON.stringify(message));
    },
  };
}

/** Notices that an interrupted worker has left. */
export function scheduledNotices(queue: AlertQueue): Scheduled<AlertMessage> {
  return {
    partitions: NOTICE_PARTITIONS,
    queue,
    find: async (item) => repeated(item, AGAIN_MS, { op: 'notices', ...stateOfItem(item) }),
  };
}

/** Snoozes of persons that are over, of which they get a summary. */
export function scheduledSnoozes(queue: AlertQueue): Scheduled<AlertMessage> {
  return {
    partitions: SNOOZE_PARTITIONS,
    queue,
    find: async (item) => repeated(item, AGAIN_MS, { op: 'woke', ...snoozeOfItem(item) }),
  };
}

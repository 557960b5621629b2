import type { AuditActor } from '../../platform/audit/act.ts';
import { auditItems } from '../../platform/audit/entry.ts';
import { auditedRecords } from '../../platform/audit/records.ts';
import { type Collection, collection } from '../../platform/storage/collection.ts';
import type { Table, TransactItem } from '../../platform/storage/table.ts';
import { deliveryPartition, nextDeliveryAt } from '../deliveries/index.ts';
import { DASHBOARDS, type ScheduleRecord } from './records.ts';

export interface ScheduleRepository extends Pick<Collection<ScheduleRecord>, 'get'> {
  /** All schedules of a dashboard, newest first. */
  ofDashboard(workspaceId: string, dashboardId: string): Promise<ScheduleRecord[]>;
  /** Throws `DASHBOARD_SCHEDULE_NAME_TAKEN`. */
  create(schedule: ScheduleRecord, also: TransactItem[]): Promise<ScheduleRecord>;
  /** Throws the same code, or `STALE_WRITE`. */
  replace(previous: ScheduleRecord, next: ScheduleRecord): Promise<ScheduleRecord>;
  /** The same for a recipient who leaves without being signed in. */
  unsubscribe(
    previous: ScheduleRecord,
    next: ScheduleRecord,
    by: { actor: AuditActor; companyId: string },
  ): Promise<ScheduleRecord>;
  remove(schedule: ScheduleRecord): Promise<void>;
  /** Without an entry in the audit log, which has one for the dashboard. */
  purge(schedule: ScheduleRecord): Promise<void>;
}

/** Schedules of dashboards; the minute tick finds each at its next instant. */
export function scheduleRepository(table: Table): ScheduleRepository {
  const options = {
    entity: 'dashboard-schedule',
    versioned: true,
    parent: ({ dashboardId }: ScheduleRecord) => dashboardId,
    unique: {
      of: ({ dashboardId, name }: ScheduleRecord) => `${dashboardId} ${name}`,
      taken: 'DASHBOARD_SCHEDULE_NAME_TAKEN',
    },
    attributes: (schedule: ScheduleRecord) => {
      const next = nextDeliveryAt(schedule, table.now());
      return next ? { due: deliveryPartition(DASHBOARDS, schedule.id), dueAt: next.toISOString() } : {};
    },
  } as const;
  const unlogged = collection<ScheduleRecord>(table, options);
  const schedules = collection<ScheduleRecord>(table, {
    ...options,
    logs: auditedRecords<ScheduleRecord>(table, {
      subject: 'dashboard_schedule',
      name: ({ name }) => name,
      members: {
        dashboardId: 'shown',
        name: 'shown',
        cron: 'shown',
        timezone: 'shown',
        isActive: 'shown',
        format: 'shown',
        condition: 'shown',
        filters: 'shown',
        pageId: 'shown',
        owner: 'shown',
        recipients: 'shown',
      },
    }),
  });
  return {
    get: schedules.get,
    ofDashboard: (workspaceId, dashboardId) => schedules.readAll(workspaceId, dashboardId),
    create: (schedule, also) => schedules.create(schedule, also),
    replace: (previous, next) => schedules.replace(previous, next, 'STALE_WRITE'),
    async unsubscribe(previous, next, { actor, companyId }) {
      const { workspaceId, id, name } = previous;
      const logged = await auditItems(table, {
        action: 'dashboard_schedule.unsubscribed',
        object: { type: 'dashboard-schedule', id, name },
        actor,
        place: { companyId, workspaceId },
      });
      return unlogged.replace(previous, next, 'STALE_WRITE', logged);
    },
    remove: (schedule) => schedules.remove(schedule, 'STALE_WRITE'),
    purge: (schedule) => unlogged.remove(schedule, 'STALE_WRITE'),
  };
}

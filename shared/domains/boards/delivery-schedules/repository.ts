import type { AuditActor } from '../../../platform/audit/act.ts';
import type { ShownMembers } from '../../../platform/audit/changes.ts';
import { auditItems } from '../../../platform/audit/entry.ts';
import { auditedRecords } from '../../../platform/audit/records.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { deliveryPartition, nextDeliveryAt, showRecipient } from '../../delivery/deliveries/index.ts';
import type { ScheduleKind } from './kinds.ts';
import type { ScheduleRecord } from './records.ts';

export interface ScheduleRepository<S extends ScheduleRecord> extends Pick<Collection<S>, 'get'> {
  /** All schedules of a dashboard or report, newest first. */
  ofObject(workspaceId: string, objectId: string): Promise<S[]>;
  /** Throws the code of the kind for a name that is taken. */
  create(schedule: S, also: TransactItem[]): Promise<S>;
  /** Throws the same code, or `STALE_WRITE`. */
  replace(previous: S, next: S): Promise<S>;
  /** The same for a recipient who leaves without being signed in. */
  unsubscribe(previous: S, next: S, by: { actor: AuditActor; companyId: string }): Promise<S>;
  remove(schedule: S, also?: TransactItem[]): Promise<void>;
  /** Without an entry in the audit log, which has one for the dashboard or report. */
  purge(schedule: S): Promise<void>;
}

const SHOWN = {
  name: 'shown',
  cron: 'shown',
  timezone: 'shown',
  isActive: 'shown',
  format: 'shown',
  condition: 'shown',
  filters: 'shown',
  owner: ({ userId }) => ({ userId }),
  recipients: (recipients) => recipients.map(showRecipient),
  targets: (targets) => targets.map(({ id, type, name, origin }) => ({ id, type, name, origin })),
} as const satisfies ShownMembers<ScheduleRecord>;

/** Schedules of a kind; the minute tick finds each at its next instant. */
export function scheduleRepository<S extends ScheduleRecord>(
  table: Table,
  kind: ScheduleKind<S>,
): ScheduleRepository<S> {
  const { entity, subject, objectOf, members, codes } = kind;
  const options = {
    entity,
    versioned: true,
    parent: objectOf,
    unique: { of: (schedule: S) => `${objectOf(schedule)} ${schedule.name}`, taken: codes.nameTaken },
    attributes: (schedule: S) => {
      const next = nextDeliveryAt(schedule, table.now());
      return next ? { due: deliveryPartition(kind, schedule.id), dueAt: next.toISOString() } : {};
    },
  } as const;
  const unlogged = collection<S>(table, options);
  const schedules = collection<S>(table, {
    ...options,
    logs: auditedRecords<S>(table, {
      subject,
      name: ({ name }) => name,
      members: { ...SHOWN, ...members } as ShownMembers<S>,
    }),
  });
  return {
    get: schedules.get,
    ofObject: (workspaceId, objectId) => schedules.readAll(workspaceId, objectId),
    create: (schedule, also) => schedules.create(schedule, also),
    replace: (previous, next) => schedules.replace(previous, next, 'STALE_WRITE'),
    async unsubscribe(previous, next, { actor, companyId }) {
      const { workspaceId, id, name } = previous;
      const logged = await auditItems(table, {
        action: `${subject}.unsubscribed`,
        object: { type: entity, id, name },
        actor,
        place: { companyId, workspaceId },
      });
      return unlogged.replace(previous, next, 'STALE_WRITE', logged);
    },
    remove: (schedule, also) => schedules.remove(schedule, 'STALE_WRITE', also),
    purge: (schedule) => unlogged.remove(schedule, 'STALE_WRITE'),
  };
}

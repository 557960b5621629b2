import { auditedRecords } from '../../../platform/audit/records.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import { withReferences } from '../../../platform/storage/references.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { useItems } from '../../../platform/storage/uses.ts';
import { type AlertRecord, usesOfAlert } from './records.ts';
import { alertPartition, nextDueAt } from './rule-times.ts';

export interface AlertRepository extends Pick<Collection<AlertRecord>, 'key' | 'get' | 'getMany' | 'list' | 'readAll'> {
  /** Throws `ALERT_NAME_TAKEN`, or `STALE_WRITE` if what it reads was deleted in between. */
  create(alert: AlertRecord): Promise<AlertRecord>;
  /** Throws the same codes. */
  replace(previous: AlertRecord, next: AlertRecord): Promise<AlertRecord>;
  /** The same for a change by the platform, such as of a rule that stops. */
  replaceUnlogged(previous: AlertRecord, next: AlertRecord, also: TransactItem[]): Promise<AlertRecord>;
  remove(alert: AlertRecord, also: TransactItem[]): Promise<void>;
}

/** Alert rules; the minute tick finds each at its next instant. */
export function alertRepository(table: Table): AlertRepository {
  const options = {
    entity: 'alert',
    versioned: true,
    unique: { of: ({ name }: AlertRecord) => name, taken: 'ALERT_NAME_TAKEN' },
    attributes: (alert: AlertRecord) => {
      const next = nextDueAt(alert, table.now());
      return next ? { due: alertPartition(alert.id), dueAt: next.toISOString() } : {};
    },
  } as const;
  const unlogged = collection<AlertRecord>(table, options);
  const alerts = collection<AlertRecord>(table, {
    ...options,
    logs: auditedRecords<AlertRecord>(table, {
      subject: 'alert',
      name: ({ name }) => name,
      members: {
        name: 'shown',
        description: 'shown',
        condition: 'shown',
        channels: 'shown',
        targets: (targets) => targets?.map(({ id, type, name, origin }) => ({ id, type, name, origin })),
        isActive: 'shown',
        scheduleCron: 'shown',
        timezone: 'shown',
        onRefresh: 'shown',
        repeat: 'shown',
        runAs: 'shown',
        shareRows: 'shown',
        holdOnQuality: 'shown',
        notifyOnRecover: 'shown',
        severity: 'shown',
        snoozedUntil: 'shown',
        owner: ({ userId }) => ({ userId }),
      },
    }),
  });
  return {
    key: alerts.key,
    get: alerts.get,
    getMany: alerts.getMany,
    list: alerts.list,
    readAll: alerts.readAll,
    create: async (alert) =>
      withReferences(await usesOf(table, null, alert), (items) => alerts.create(alert, items), stale),
    replace: async (previous, next) =>
      withReferences(
        await usesOf(table, previous, next),
        (items) => alerts.replace(previous, next, 'STALE_WRITE', items),
        stale,
      ),
    replaceUnlogged: (previous, next, also) => unlogged.replace(previous, next, 'STALE_WRITE', also),
    remove: (alert, also) => alerts.remove(alert, 'STALE_WRITE', also),
  };
}

/** Fails a transaction once the rule is changed or deleted. */
export const unchangedAlert = (table: Table, { workspaceId, id, revision }: AlertRecord): TransactItem => ({
  ConditionCheck: {
    TableName: table.name,
    Key: alertRepository(table).key(workspaceId, id),
    ConditionExpression: 'revision = :seen',
    ExpressionAttributeValues: { ':seen': revision },
  },
});

/** Fails a transaction once the rule is deleted. */
export const presentAlert = (
  table: Table,
  { workspaceId, alertId }: { workspaceId: string; alertId: string },
): TransactItem => ({
  ConditionCheck: {
    TableName: table.name,
    Key: alertRepository(table).key(workspaceId, alertId),
    ConditionExpression: 'attribute_exists(pk)',
  },
});

const stale = (cause: unknown) => new AppError('STALE_WRITE', { cause });

function usesOf(table: Table, previous: AlertRecord | null, next: AlertRecord): Promise<TransactItem[]> {
  const { workspaceId, id } = next;
  const before = previous ? usesOfAlert(previous) : [];
  return useItems(table, { workspaceId, type: 'alert', id }, { before, after: usesOfAlert(next) });
}

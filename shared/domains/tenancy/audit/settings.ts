import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { holdsAudited } from '../../../platform/audit/entry.ts';
import { auditSettingsKey, DEFAULT_RETENTION_DAYS } from '../../../platform/audit/settings.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { assertExpected, staleCode } from '../../../platform/storage/expectation.ts';
import { onNewest } from '../../../platform/storage/on-newest.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { AuditSettings } from './schemas.ts';

const UNSET: AuditSettings = {
  retentionDays: DEFAULT_RETENTION_DAYS,
  updatedBy: null,
  updatedAt: null,
  revision: 1,
};

export async function readAuditSettings(table: Table, companyId: string): Promise<AuditSettings> {
  const Key = auditSettingsKey(companyId);
  const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return found.Item ? toRecord<AuditSettings>(found.Item) : UNSET;
}

export function putAuditSettings(
  table: Table,
  companyId: string,
  { retentionDays, by }: { retentionDays: number; by: string },
): Promise<AuditSettings> {
  return onNewest('STALE_WRITE', async () => {
    const seen = await readAuditSettings(table, companyId);
    assertExpected(companyId, seen.revision);
    const revision = seen.revision + 1;
    const next = { retentionDays, updatedBy: by, updatedAt: table.now().toISOString(), revision };
    const Put = {
      TableName: table.name,
      Item: { ...next, ...auditSettingsKey(companyId), entity: 'audit-settings' },
      ConditionExpression: seen === UNSET ? 'attribute_not_exists(pk)' : 'revision = :seen',
      ...(seen === UNSET ? {} : { ExpressionAttributeValues: { ':seen': seen.revision } }),
    };
    const isStored = await holdsAudited(
      table,
      { Put },
      {
        action: 'audit_settings.updated',
        place: { companyId, workspaceId: null },
        object: { type: 'audit-settings', id: companyId, name: null },
        before: { retentionDays: seen.retentionDays },
        after: { retentionDays },
      },
    );
    if (!isStored) throw new AppError(staleCode(companyId, 'STALE_WRITE'));
    return next;
  });
}

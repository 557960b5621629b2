import { type AuditObject, recordAct } from '../../../platform/audit/entry.ts';
import type { Table } from '../../../platform/storage/table.ts';

/** Logs that rows leave the platform as a file. Rows in a JSON reply are no export. */
export async function logExport(table: Table, object: AuditObject, contentType: string): Promise<void> {
  if (contentType === 'application/json') return;
  await recordAct(table, { action: 'query.exported', object, after: { contentType } });
}

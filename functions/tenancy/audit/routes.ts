import { AuditSettings } from '../../../shared/domains/tenancy/audit/index.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import { AuditExport, AuditExportQuery, AuditLogPage, AuditLogQuery, PutAuditSettings } from './schemas.ts';

const WHOSE_LOG =
  'Company admins read the log of the company, admins of a workspace that of their workspace, and so does an API key with the scope `admin`.';

export const listAuditLog = defineRoute({
  operationId: 'listAuditLog',
  method: 'GET',
  path: '/api/audit-log',
  summary: 'List the audit log',
  description: `Newest first. ${WHOSE_LOG}`,
  permission: 'audit:read',
  query: AuditLogQuery,
  success: { status: 200, body: AuditLogPage },
  errors: ['CURSOR_INVALID', 'CURSOR_MISMATCH', 'CURSOR_EXPIRED'],
});

export const exportAuditLog = defineRoute({
  operationId: 'exportAuditLog',
  method: 'GET',
  path: '/api/audit-log/export',
  summary: 'Get the audit log as a file',
  description: `Writes up to 20,000 entries to a file and returns a link to it. The export is itself logged. ${WHOSE_LOG}`,
  permission: 'audit:read',
  query: AuditExportQuery,
  success: { status: 200, body: AuditExport },
  errors: ['CURSOR_INVALID', 'CURSOR_MISMATCH', 'CURSOR_EXPIRED'],
  audit: 'audit_log.exported',
});

export const getAuditSettings = defineRoute({
  operationId: 'getAuditSettings',
  method: 'GET',
  path: '/api/audit-log/settings',
  summary: 'Get the settings of the audit log',
  permission: 'company:manage',
  success: { status: 200, body: AuditSettings, versioned: true },
});

export const putAuditSettings = defineRoute({
  operationId: 'putAuditSettings',
  method: 'PUT',
  path: '/api/audit-log/settings',
  summary: 'Set how long the audit log is kept',
  description:
    'A shorter time hides older entries immediately. A longer one applies to entries from now on; existing ones leave when they would have.',
  permission: 'company:manage',
  body: PutAuditSettings,
  success: { status: 200, body: AuditSettings, versioned: true },
  audit: 'audit_settings.updated',
});

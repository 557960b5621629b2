import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { DownloadLink } from '../../../../shared/platform/http/schemas.ts';
import { Job } from '../../../../shared/platform/jobs/record.ts';
import { ExportParams, StartWorkspaceExport } from './schemas.ts';

export const startWorkspaceExport = defineRoute({
  operationId: 'startWorkspaceExport',
  method: 'POST',
  path: '/api/workspaces/current/exports',
  summary: 'Export the workspace',
  description:
    'Starts a job that writes everything of the current workspace to one ZIP archive: definitions as JSON, models as YAML, datasets as Parquet, the audit log as NDJSON. Secrets, credentials and tokens are never part of it. A workspace has one export at a time.',
  permission: 'workspace:export',
  body: StartWorkspaceExport,
  success: { status: 202, body: Job },
  errors: ['JOB_ACTIVE'],
  idempotent: true,
  audit: 'workspace.exported',
});

export const getWorkspaceExport = defineRoute({
  operationId: 'getWorkspaceExport',
  method: 'GET',
  path: '/api/workspaces/current/exports/{id}',
  summary: 'Get an export of the workspace',
  description: 'Status and progress of the export, which can be read for a day.',
  permission: 'workspace:export',
  params: ExportParams,
  success: { status: 200, body: Job },
  errors: ['JOB_NOT_FOUND'],
});

export const getWorkspaceExportFile = defineRoute({
  operationId: 'getWorkspaceExportFile',
  method: 'GET',
  path: '/api/workspaces/current/exports/{id}/file',
  summary: "Get a link to an export's file",
  description:
    'The link works for 15 minutes. The archive has the rows that the admin who started the export may see: only this admin gets a link, and only until their rights to rows change.',
  permission: 'workspace:export',
  params: ExportParams,
  success: { status: 200, body: DownloadLink },
  errors: ['JOB_NOT_FOUND', 'WORKSPACE_EXPORT_NOT_READY'],
  audit: 'workspace.export_downloaded',
});

export const cancelWorkspaceExport = defineRoute({
  operationId: 'cancelWorkspaceExport',
  method: 'POST',
  path: '/api/workspaces/current/exports/{id}/cancel',
  summary: 'Cancel an export of the workspace',
  description: 'A running export stops within seconds. One that has ended does not change.',
  permission: 'workspace:export',
  params: ExportParams,
  success: { status: 202, body: Job },
  errors: ['JOB_NOT_FOUND'],
});

import { grantOn } from '../../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { MAX_FILE_BYTES, YAML } from '../../../../shared/platform/validation/yaml-file.ts';
import { DashboardParams } from '../schemas.ts';
import { DashboardFileBody, DashboardFileReport, ImportFileQuery } from './schemas.ts';

export const exportDashboardFile = defineRoute({
  operationId: 'exportDashboardFile',
  method: 'GET',
  path: '/api/dashboards/{id}/file',
  summary: 'Export a dashboard as a file',
  description:
    'Returns texts, theme, pages, cards and filters as one YAML document, which a team can keep in Git. Access, deliveries and bookmarks are not included. Editors get the draft, viewers the published version. `sources` names what the dashboard refers to, so that another workspace can import the file. The `ETag` changes with the dashboard and each of its parts.',
  permission: 'dashboards:read',
  object: 'dashboard',
  params: DashboardParams,
  success: { status: 200, contentTypes: [YAML] },
  errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_TOO_LARGE'],
});

export const importDashboardFile = defineRoute({
  operationId: 'importDashboardFile',
  method: 'PUT',
  path: '/api/dashboards/{id}/file',
  summary: 'Import a dashboard from a file',
  description:
    'Replaces the draft with the content of the file, as a whole or not at all. Pages, cards and filters keep the ids of the file, and parts that are not in it are removed. Importing the same file again changes nothing. Sources that the workspace does not have by id are found by name. With `If-Match`, it fails if the dashboard has changed since the file was exported.',
  permission: 'dashboards:write',
  grant: grantOn('dashboard', 'editor'),
  params: DashboardParams,
  query: ImportFileQuery,
  body: DashboardFileBody,
  fileBody: { contentType: YAML, member: 'yaml' },
  maxBodyBytes: MAX_FILE_BYTES,
  success: { status: 200, body: DashboardFileReport, versioned: true },
  errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_NAME_TAKEN', 'DASHBOARD_TOO_LARGE'],
  audit: 'dashboard.updated',
});

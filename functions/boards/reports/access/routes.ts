import { accessRoutes } from '../../../tenancy/access/routes.ts';
import { Access, AccessPage, AccessParams, ReportParams, SetAccess } from '../schemas.ts';

export const {
  listAccess: listReportAccess,
  setAccess: setReportAccess,
  revokeAccess: revokeReportAccess,
} = accessRoutes({
  type: 'report',
  title: 'Report',
  noun: 'report',
  permission: 'reports:write',
  notFound: 'REPORT_NOT_FOUND',
  editors: 'An `editor` of the report may change it even with the role `viewer`.',
  params: ReportParams,
  schemas: { Access, AccessPage, AccessParams, SetAccess },
});

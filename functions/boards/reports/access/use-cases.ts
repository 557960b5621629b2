import { objectAccess } from '../../../../shared/domains/tenancy/grants/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { Access } from '../schemas.ts';
import type { ReportDeps } from '../use-cases/context.ts';

/** Access to reports. */
export const reportAccess = ({ reports, ...deps }: ReportDeps) =>
  objectAccess<Access>(deps, async ({ workspaceId, id }) => {
    const record = await reports.get(workspaceId, id);
    if (record?.deletedAt !== null) throw new AppError('REPORT_NOT_FOUND');
    const key = reports.key(workspaceId, id);
    return { workspaceId, type: 'report', id, name: record.name, key, notFound: 'REPORT_NOT_FOUND' };
  });

import { downloadLinks } from '../../../shared/domains/semantics/queries/index.ts';
import { putAuditSettings, readAuditSettings } from '../../../shared/domains/tenancy/audit/index.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import * as routes from './routes.ts';
import { exportAuditLog, listAuditLog } from './use-cases/read-audit-log.ts';

const group = openGroup('audit');
const { table, cursors, now } = group;
const bucket = environment('DATA_BUCKET');
const deps = { table, cursors, now, objects: objectStore(bucket), links: downloadLinks(bucket, now) };

export const handler = endpointGroup(
  [
    bind(routes.listAuditLog, ({ principal, query }) => listAuditLog(deps, principal, query)),
    bind(routes.exportAuditLog, ({ principal, query, newId }) =>
      exportAuditLog(deps, principal, { ...query, exportId: newId }),
    ),
    bind(routes.getAuditSettings, ({ principal: { companyId } }) => readAuditSettings(table, companyId)),
    bind(routes.putAuditSettings, ({ principal: { companyId, userId: by }, body: { retentionDays } }) =>
      putAuditSettings(table, companyId, { retentionDays, by }),
    ),
  ],
  group,
);

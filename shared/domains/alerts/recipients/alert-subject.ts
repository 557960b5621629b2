import { isPermitted } from '../../../platform/auth/permissions.ts';
import type { SubjectKind } from '../../tenancy/subjects/index.ts';
import { alertRepository, presentAlert } from '../rules/index.ts';
import { isNamed } from './resolve-audience.ts';

/** Alerts, as those see them who edit them or are notified by them. */
export const ALERT_SUBJECT: SubjectKind = {
  type: 'alert',
  read: { permission: 'alerts:read' },
  present: (table, workspaceId, alertId) => presentAlert(table, { workspaceId, alertId }),
  async find(table, reader, id) {
    const alert = await alertRepository(table).get(reader.workspaceId, id);
    if (!alert) return undefined;
    const mayManage = isPermitted('alerts:manage', { ...reader, scope: null });
    if (!mayManage && !(await isNamed(table, reader, alert))) return undefined;
    const mayEdit = mayManage || alert.owner.userId === reader.userId;
    return { type: 'alert', id, name: alert.name, path: null, mayEdit, ownerId: alert.owner.userId };
  },
};

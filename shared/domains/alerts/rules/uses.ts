import type { ReferrerKind } from '../../../platform/storage/referrers.ts';
import { usesOfAlert } from './records.ts';
import { alertRepository } from './repository.ts';

/** Alerts use what their conditions read. */
export const ALERT_USES: ReferrerKind = {
  type: 'alert',

  async read(table, workspaceId, id) {
    const alerts = alertRepository(table);
    const alert = await alerts.get(workspaceId, id);
    if (!alert) return undefined;
    const unchanged = {
      ConditionCheck: {
        TableName: table.name,
        Key: alerts.key(workspaceId, id),
        ConditionExpression: 'revision = :seen',
        ExpressionAttributeValues: { ':seen': alert.revision },
      },
    };
    return { name: alert.name, uses: usesOfAlert(alert), unchanged: [unchanged] };
  },
};

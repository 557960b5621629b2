import type { ReferrerKind } from '../../../platform/storage/referrers.ts';
import { usesOfAlert } from './records.ts';
import { alertRepository, unchangedAlert } from './repository.ts';

/** Alerts use what their conditions read. */
export const ALERT_USES: ReferrerKind = {
  type: 'alert',

  async read(table, workspaceId, id) {
    const alert = await alertRepository(table).get(workspaceId, id);
    if (!alert) return undefined;
    return { name: alert.name, uses: usesOfAlert(alert), unchanged: [unchangedAlert(table, alert)] };
  },
};

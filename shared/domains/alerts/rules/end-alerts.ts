import type { CleanUp } from '../../../platform/storage/clean-ups.ts';
import { deleteItems } from '../../../platform/storage/delete-items.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { deliveryArea } from '../../delivery/deliveries/index.ts';
import { endFollows } from '../../delivery/notifications/index.ts';
import { ALERT_REQUESTS, historyKey, noticeKey, refreshKey, snoozeKey, stateKey } from './keys.ts';

/** A deleted rule. */
export type EndedAlert = { kind: 'alert'; workspaceId: string; alertId: string };

export const alertCleanUps: readonly [CleanUp<EndedAlert>] = [
  {
    kind: 'alert',
    async remove(table, { workspaceId, alertId }, isOver) {
      const place = { workspaceId, alertId };
      const areas = [
        ...[stateKey(place, ''), noticeKey(place, ''), historyKey(place, '', '')],
        ...[snoozeKey(place, ''), refreshKey(place)],
        deliveryArea(ALERT_REQUESTS, { workspaceId, deliveryId: alertId }),
      ];
      for (const { pk } of areas) {
        const keys = await Array.fromAsync(itemsBelow(table, { pk, sk: '' }), (item) => ({
          pk: item.pk as string,
          sk: item.sk as string,
        }));
        if (!(await deleteItems(table, keys, isOver))) return false;
      }
      return endFollows(table, { workspaceId, type: 'alert', id: alertId }, isOver);
    },
  },
];

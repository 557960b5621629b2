import type { StoredDelivery, StoredWebhook } from '../../../shared/webhooks/records.ts';
import type { Delivery, Webhook } from '../schemas.ts';

/** As the API shows it: that there is a secret, which headers there are, and the value of neither. */
export function shownWebhook(stored: StoredWebhook): Webhook {
  const { sealedSecret, sealedHeaders: _headers, headerNames, ...webhook } = stored;
  return {
    ...webhook,
    headers: Object.fromEntries(headerNames.map((name) => [name, '******'])),
    hasSecret: sealedSecret !== undefined,
  };
}

export function shownDelivery(stored: StoredDelivery): Delivery {
  const { workspaceId: _workspace, body: _body, leaseUntil: _lease, updatedAt: _updated, ...delivery } = stored;
  return delivery;
}

import {
  requestHeaders,
  type StoredDelivery,
  type StoredWebhook,
} from '../../../../shared/domains/events/webhooks/index.ts';
import type { SecretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import type { AddressGuard } from '../../../../shared/platform/net/address-guard.ts';
import { webhookSchemes } from '../../../../shared/platform/net/guard-from-environment.ts';

/** A request that is ready to be sent. */
export interface PreparedRequest {
  url: URL;
  headers: Record<string, string>;
  body: string;
}

/**
 * Does everything that may fail on our side, before the attempt is counted. Reads the current webhook: a changed URL,
 * header or secret applies from this attempt. Throws `AddressBlocked`.
 */
export async function prepareRequest(
  deps: { secrets: SecretBox; guard: AddressGuard },
  { delivery, body, webhook, sentAt }: { delivery: StoredDelivery; body: string; webhook: StoredWebhook; sentAt: Date },
): Promise<PreparedRequest> {
  const url = await deps.guard.checkUrl(webhook.url, { schemes: webhookSchemes() });
  return { url, body, headers: await requestHeaders(deps.secrets, webhook, { deliveryId: delivery.id, body, sentAt }) };
}

import type { StoredDelivery, StoredWebhook } from '../../../../shared/domains/webhooks/index.ts';
import type { SecretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import type { AddressBlocked, AddressGuard } from '../../../../shared/platform/net/address-guard.ts';
import { WEBHOOK_SCHEMES } from '../../../../shared/platform/net/guard-from-environment.ts';
import { signedHeaders } from './signature.ts';

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
  const url = await deps.guard.checkUrl(webhook.url, { schemes: WEBHOOK_SCHEMES });
  const open = (sealed: string | undefined) =>
    sealed === undefined ? undefined : deps.secrets.open(webhook.workspaceId, sealed);
  const overlaps = webhook.previousSecretUntil !== undefined && sentAt.toISOString() < webhook.previousSecretUntil;
  const [custom, secret, previous] = await Promise.all([
    open(webhook.sealedHeaders),
    open(webhook.sealedSecret),
    open(overlaps ? webhook.sealedPreviousSecret : undefined),
  ]);
  const signed = signedHeaders({ deliveryId: delivery.id, body, sentAt }, { secret, previous });
  return {
    url,
    body,
    headers: {
      ...lowerCased(custom ? JSON.parse(custom) : {}),
      'content-type': 'application/json',
      'user-agent': 'analytics-platform-webhooks/1',
      ...signed,
    },
  };
}

export function blockedError(error: AddressBlocked): 'INVALID_URL' | 'BLOCKED_TARGET' {
  return error.reason === 'INVALID' ? 'INVALID_URL' : 'BLOCKED_TARGET';
}

/**
 * Our own headers override custom ones of the same name in any case. Custom headers cannot set a reserved one that we
 * leave out.
 */
function lowerCased(headers: Record<string, string>): Record<string, string> {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(lower.filter(([name]) => !/^(x-service-|webhook-)/.test(name)));
}

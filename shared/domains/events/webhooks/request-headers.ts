import type { SecretBox } from '../../../platform/crypto/secret-box.ts';
import type { ReceiverSecrets } from './receiver-secrets.ts';
import { signedHeaders } from './signature.ts';

interface Sent {
  deliveryId: string;
  body: string;
  sentAt: Date;
}

/** The headers of a request to the receiver: its own, which those of the service override, and the signature. */
export async function requestHeaders(
  secrets: Pick<SecretBox, 'open'>,
  receiver: Omit<ReceiverSecrets, 'headerNames'> & { workspaceId: string },
  sent: Sent,
): Promise<Record<string, string>> {
  const open = (sealed: string | undefined) =>
    sealed === undefined ? undefined : secrets.open(receiver.workspaceId, sealed);
  const { previousSecretUntil } = receiver;
  const overlaps = previousSecretUntil !== undefined && sent.sentAt.toISOString() < previousSecretUntil;
  const [custom, secret, previous] = await Promise.all([
    open(receiver.sealedHeaders),
    open(receiver.sealedSecret),
    open(overlaps ? receiver.sealedPreviousSecret : undefined),
  ]);
  return {
    ...lowerCased(custom ? JSON.parse(custom) : {}),
    'content-type': 'application/json',
    'user-agent': 'analytics-platform-webhooks/1',
    ...signedHeaders(sent, { secret, previous }),
  };
}

/**
 * Our own headers override custom ones of the same name in any case. Custom headers cannot set a reserved one that we
 * leave out.
 */
function lowerCased(headers: Record<string, string>): Record<string, string> {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(lower.filter(([name]) => !/^(x-service-|webhook-)/.test(name)));
}

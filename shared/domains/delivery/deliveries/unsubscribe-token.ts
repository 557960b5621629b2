import { idTokens } from '../../../platform/crypto/id-tokens.ts';
import type { MasterSecret } from '../../../platform/crypto/master-secret.ts';
import type { DeliveryKind } from './kind.ts';
import type { DeliveryPlace } from './records.ts';

/** The recipient whom a token removes from a delivery. */
export type Subscription = DeliveryPlace & { userId: string };

/**
 * All mails of a delivery to a person contain the same token: `<kind>_<secret
 * version>_<workspace>_<delivery>_<recipient>_<signature>`.
 */
export interface UnsubscribeTokens {
  of(subscription: Subscription): Promise<string>;
  /** Undefined if the text is not a valid token of the kind. */
  read(token: string): Promise<Subscription | undefined>;
}

export function unsubscribeTokens(master: MasterSecret, { unsubscribe }: DeliveryKind): UnsubscribeTokens {
  const signed = idTokens(master, unsubscribe);
  return {
    of: ({ workspaceId, deliveryId, userId }) => signed.of([workspaceId, deliveryId, userId]),
    async read(token) {
      const [workspaceId, deliveryId, userId] = (await signed.read(token, 3)) ?? [];
      return workspaceId && deliveryId && userId ? { workspaceId, deliveryId, userId } : undefined;
    },
  };
}

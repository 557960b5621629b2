import { createHmac, timingSafeEqual } from 'node:crypto';
import { type MasterSecret, UnknownSecretVersion } from '../../../platform/crypto/master-secret.ts';
import type { DeliveryKind } from './kind.ts';
import type { DeliveryPlace } from './records.ts';

const TOKEN = /^([a-z]{2})_(\d{1,6})_([0-9a-f-]{36})_([0-9a-f-]{36})_([0-9a-f-]{36})_([A-Za-z0-9_-]{43})$/;

/** The recipient whom a token removes from a delivery. */
export type Subscription = DeliveryPlace & { userId: string };

/**
 * `<kind>_<secret version>_<workspace>_<delivery>_<recipient>_<signature>`. The token is derived from the master secret, so it
 * is not stored, and all mails of a delivery to a person contain the same link.
 */
export interface UnsubscribeTokens {
  of(subscription: Subscription): Promise<string>;
  /** Undefined if the text is not a valid token of the kind. */
  read(token: string): Promise<Subscription | undefined>;
}

export function unsubscribeTokens(
  master: MasterSecret,
  { tokens: { prefix, purpose } }: DeliveryKind,
): UnsubscribeTokens {
  const write = async ({ workspaceId, deliveryId, userId }: Subscription, wanted?: number) => {
    const { key, version } = await master.derive(purpose, wanted);
    const ids = `${workspaceId}_${deliveryId}_${userId}`;
    return `${prefix}_${version}_${ids}_${createHmac('sha256', key).update(ids).digest('base64url')}`;
  };
  return {
    of: (subscription) => write(subscription),
    async read(token) {
      const [, kind, version, workspaceId, deliveryId, userId] = TOKEN.exec(token) ?? [];
      if (kind !== prefix || version === undefined || !workspaceId || !deliveryId || !userId) return undefined;
      const subscription = { workspaceId, deliveryId, userId };
      const valid = await write(subscription, Number(version)).catch((error: unknown) => {
        if (error instanceof UnknownSecretVersion) return undefined;
        throw error;
      });
      return valid !== undefined && isEqual(valid, token) ? subscription : undefined;
    },
  };
}

function isEqual(expected: string, actual: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(actual)];
  return one.length === other.length && timingSafeEqual(one, other);
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import { type MasterSecret, UnknownSecretVersion } from '../../platform/crypto/master-secret.ts';

const TOKEN = /^du_(\d{1,6})_([0-9a-f-]{36})_([0-9a-f-]{36})_([0-9a-f-]{36})_([A-Za-z0-9_-]{43})$/;

/** The recipient of a digest whom a token takes out. */
export interface Subscription {
  workspaceId: string;
  digestId: string;
  userId: string;
}

/**
 * `du_<secret version>_<workspace>_<digest>_<user>_<signature>`. The token follows from the master secret, so it is stored
 * nowhere, and the links of all mails to a person are the same.
 */
export interface UnsubscribeTokens {
  of(subscription: Subscription): Promise<string>;
  /** Undefined for a text that is no valid token. */
  read(token: string): Promise<Subscription | undefined>;
}

export function unsubscribeTokens(master: MasterSecret): UnsubscribeTokens {
  const write = async ({ workspaceId, digestId, userId }: Subscription, wanted?: number) => {
    const { key, version } = await master.derive('unsubscribe', wanted);
    const ids = `${workspaceId}_${digestId}_${userId}`;
    return `du_${version}_${ids}_${createHmac('sha256', key).update(ids).digest('base64url')}`;
  };
  return {
    of: (subscription) => write(subscription),
    async read(token) {
      const [, version, workspaceId, digestId, userId] = TOKEN.exec(token) ?? [];
      if (version === undefined || !workspaceId || !digestId || !userId) return undefined;
      const subscription = { workspaceId, digestId, userId };
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

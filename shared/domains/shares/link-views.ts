import { createHmac } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { MasterSecret } from '../../platform/crypto/master-secret.ts';
import { networkOf } from '../../platform/net/network-of.ts';
import { ifHolds } from '../../platform/storage/if-holds.ts';
import { workspaceKey } from '../../platform/storage/keys.ts';
import type { Table } from '../../platform/storage/table.ts';
import type { LinkReader } from './records.ts';
import { countedBy, type ShareRepository } from './share-repository.ts';

const WINDOW_SECONDS = 30 * 60;

/** What a request reveals of its sender. */
export interface Visitor {
  sourceIp: string;
  userAgent?: string | undefined;
}

export interface LinkViews {
  count(reader: LinkReader, visitor: Visitor): Promise<void>;
}

/**
 * Counts a view once for each visitor and half hour, so that one reader cannot inflate the count. Neither address nor browser is stored:
 * the mark of a visitor is a hash with a key of this deployment that names the link and the day, so marks of different links or days
 * cannot be matched.
 */
export function linkViews(
  { table, master }: { table: Table; master: Pick<MasterSecret, 'derive'> },
  shares: Pick<ShareRepository, 'count'>,
): LinkViews {
  async function isNew(place: { workspaceId: string; id: string }, visitor: Visitor): Promise<boolean> {
    const now = table.now();
    const seconds = Math.floor(now.getTime() / 1000);
    const { key } = await master.derive('link-visitors');
    const day = now.toISOString().slice(0, 10);
    const mark = createHmac('sha256', key)
      .update(JSON.stringify([day, place, networkOf(visitor.sourceIp), visitor.userAgent ?? '']))
      .digest('base64url');
    return ifHolds(
      table.db.send(
        new PutCommand({
          TableName: table.name,
          Item: {
            ...workspaceKey(place.workspaceId, 'LINK-VIEW', mark),
            entity: 'link-view',
            expiresAt: seconds + WINDOW_SECONDS,
          },
          // The table erases items some time after they have expired.
          ConditionExpression: 'attribute_not_exists(pk) OR expiresAt <= :now',
          ExpressionAttributeValues: { ':now': seconds },
        }),
      ),
    );
  }

  return {
    async count(reader, visitor) {
      const place = countedBy(reader);
      if (await isNew(place, visitor)) await shares.count(place, { views: 1 });
    },
  };
}

import { createHmac } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { MasterSecret } from '../../../platform/crypto/master-secret.ts';
import { networkOf } from '../../../platform/net/network-of.ts';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import { workspaceKey } from '../../../platform/storage/keys.ts';
import type { Table } from '../../../platform/storage/table.ts';

const WINDOW_SECONDS = 30 * 60;

/** What a request reveals of its sender. */
export interface Visitor {
  sourceIp: string;
  userAgent?: string | undefined;
}

export interface Place {
  workspaceId: string;
  id: string;
}

export interface VisitorDeps {
  table: Table;
  master: Pick<MasterSecret, 'derive'>;
}

/**
 * Stands for a visitor of one link. Neither address nor browser is stored: the mark is a hash with a key of this
 * deployment that names the link and the day, so marks of different links or days cannot be matched.
 */
export async function visitorMark({ table, master }: VisitorDeps, place: Place, visitor: Visitor): Promise<string> {
  const { key } = await master.derive('link-visitors');
  const day = table.now().toISOString().slice(0, 10);
  const { workspaceId, id } = place;
  return createHmac('sha256', key)
    .update(JSON.stringify([day, { workspaceId, id }, networkOf(visitor.sourceIp), visitor.userAgent ?? '']))
    .digest('base64url');
}

/** Whether the mark is the first one of the kind within half an hour; of several at once, one is. */
export async function isFirstInWindow(table: Table, workspaceId: string, kind: string, mark: string): Promise<boolean> {
  const seconds = Math.floor(table.now().getTime() / 1000);
  return ifHolds(
    table.db.send(
      new PutCommand({
        TableName: table.name,
        Item: {
          ...workspaceKey(workspaceId, kind, mark),
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

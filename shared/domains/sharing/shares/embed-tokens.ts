import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { auditItems } from '../../../platform/audit/entry.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { linkDigestKey, workspaceKey } from '../../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { transact } from '../../../platform/storage/transact.ts';
import type { EmbedTokenRecord } from './records.ts';

const pointerKey = (workspaceId: string, id: string) => workspaceKey(workspaceId, 'EMBED-TOKEN', id);

export interface EmbedTokens {
  create(token: EmbedTokenRecord, digest: string): Promise<void>;
  /** Throws `EMBED_TOKEN_NOT_FOUND`. */
  revoke(place: { workspaceId: string; id: string }): Promise<void>;
}

/** Embed tokens are stored until they end: revoking one deletes it. */
export function embedTokens(table: Table): EmbedTokens {
  const logged = (action: 'embed_token.created' | 'embed_token.revoked', id: string) =>
    auditItems(table, { action, object: { type: 'embed-token', id, name: null } });

  return {
    async create(token, digest) {
      const { workspaceId, id } = token;
      const stored = { entity: 'embed-token', expiresAt: Math.ceil(Date.parse(token.validUntil) / 1000) };
      const put = (Item: Record<string, unknown>): TransactItem => ({ Put: { TableName: table.name, Item } });
      await transact(table, [
        put({ ...token, ...linkDigestKey(digest), ...stored }),
        put({ ...pointerKey(workspaceId, id), ...stored, workspaceId, digest }),
        ...(await logged('embed_token.created', id)),
      ]);
    },

    async revoke({ workspaceId, id }) {
      const Key = pointerKey(workspaceId, id);
      const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
      if (!found.Item) throw new AppError('EMBED_TOKEN_NOT_FOUND');
      await transact(table, [
        { Delete: { TableName: table.name, Key: linkDigestKey(found.Item.digest as string) } },
        { Delete: { TableName: table.name, Key } },
        ...(await logged('embed_token.revoked', id)),
      ]);
    },
  };
}

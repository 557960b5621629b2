import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { auditedRecords } from '../../../platform/audit/records.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import { linkDigestKey, workspaceKey } from '../../../platform/storage/keys.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { EVENT_TYPES, type EventType } from './event-types.ts';
import type { EventCounts, LinkReader, ShareRecord, ShareUsage } from './records.ts';

/** Where the use of a link is counted, or of the embed tokens of some content. */
export const usageKey = (workspaceId: string, id: string) => workspaceKey(workspaceId, 'SHARE-USAGE', id);

export interface ShareRepository extends Pick<Collection<ShareRecord>, 'get' | 'list' | 'replace'> {
  create(share: ShareRecord): Promise<ShareRecord>;
  /** Throws `STALE_WRITE`. */
  remove(share: ShareRecord): Promise<void>;
  /** The same for a link whose content is gone, without a request. Throws `STALE_WRITE`. */
  purge(share: ShareRecord): Promise<void>;
  usages(workspaceId: string, ids: readonly string[]): Promise<Map<string, ShareUsage>>;
  /** Adds to the counters of a link; views are counted apart from the events that pages report. */
  count(link: { workspaceId: string; id: string }, added: { views?: number; events?: EventCounts }): Promise<void>;
}

export function shareRepository(table: Table): ShareRepository {
  const options = { entity: 'share', versioned: true } as const;
  const unlogged = collection<ShareRecord>(table, options);
  const shares = collection<ShareRecord>(table, {
    ...options,
    logs: auditedRecords<ShareRecord>(table, {
      subject: 'share',
      name: ({ tokenPrefix }) => tokenPrefix,
      members: {
        contentType: 'shown',
        contentId: 'shown',
        shareType: 'shown',
        rlsContext: 'shown',
        allowExport: 'shown',
        preview: 'shown',
        allowAi: 'shown',
        aiRatePerHour: 'shown',
        validUntil: 'shown',
      },
    }),
  });

  const belongings = ({ workspaceId, id, tokenDigest }: ShareRecord): TransactItem[] =>
    [linkDigestKey(tokenDigest), usageKey(workspaceId, id)].map((Key) => ({ Delete: { TableName: table.name, Key } }));

  return {
    get: shares.get,
    list: shares.list,
    replace: shares.replace,

    create: (share) =>
      shares.create(share, [
        {
          Put: {
            TableName: table.name,
            Item: {
              ...linkDigestKey(share.tokenDigest),
              entity: 'share-digest',
              workspaceId: share.workspaceId,
              id: share.id,
            },
          },
        },
      ]),

    remove: (share) => shares.remove(share, 'STALE_WRITE', belongings(share)),
    purge: (share) => unlogged.remove(share, 'STALE_WRITE', belongings(share)),

    async usages(workspaceId, ids) {
      const keys = ids.map((id) => usageKey(workspaceId, id));
      const items = await readItems(table, keys, { isConsistent: false });
      return new Map(
        items.map(({ sk, views = 0, lastAccessedAt = null, ...item }) => [
          sk as string,
          { viewCount: views as number, lastAccessedAt: lastAccessedAt as string | null, events: eventsOf(item) },
        ]),
      );
    },

    async count({ workspaceId, id }, { views = 0, events = {} }) {
      const counted = Object.entries(events);
      await table.db.send(
        new UpdateCommand({
          TableName: table.name,
          Key: usageKey(workspaceId, id),
          UpdateExpression: `SET lastAccessedAt = :now, entity = :entity ADD ${['#views :views', ...counted.map((_, index) => `#e${index} :e${index}`)].join(', ')}`,
          ExpressionAttributeNames: {
            '#views': 'views',
            ...Object.fromEntries(counted.map(([type], index) => [`#e${index}`, eventName(type as EventType)])),
          },
          ExpressionAttributeValues: {
            ':now': table.now().toISOString(),
            ':entity': 'share-usage',
            ':views': views,
            ...Object.fromEntries(counted.map(([, count], index) => [`:e${index}`, count])),
          },
        }),
      );
    },
  };
}

const eventName = (type: EventType) => `${type}Events`;
const eventsOf = (item: Record<string, unknown>): EventCounts =>
  Object.fromEntries(EVENT_TYPES.map((type) => [type, (item[eventName(type)] as number | undefined) ?? 0]));

export const embeddedUsage = (contentId: string): string => `EMBED#${contentId}`;

/** Embed tokens end within the hour, so their use is counted for what they open. */
export const countedBy = ({ workspaceId, kind, id, content }: LinkReader) => ({
  workspaceId,
  id: kind === 'share' ? id : embeddedUsage(content.id),
});

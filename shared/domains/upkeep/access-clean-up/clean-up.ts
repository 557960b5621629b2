import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { deleteItems } from '../../../platform/storage/delete-items.ts';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { endBookmarksOf, endDashboard } from '../../boards/dashboards/index.ts';
import { endDashboardSchedules, endReportSchedules } from '../../boards/delivery-schedules/index.ts';
import { endReport } from '../../boards/reports/index.ts';
import { endRuns } from '../../delivery/deliveries/index.ts';
import { endFollows, endNotificationsOf } from '../../delivery/notifications/index.ts';
import { endIdentities } from '../../identity/identity-providers/index.ts';
import { endPasskeys } from '../../identity/passkeys/index.ts';
import { endModelItems } from '../../semantics/models/index.ts';
import { endShares } from '../../sharing/shares/index.ts';
import { endComments } from '../../stories/comments/index.ts';
import { endStory } from '../../stories/stories/index.ts';
import { endGrantsOf, endGrantsOn, type ObjectType } from '../../tenancy/grants/index.ts';
import { endMembershipsIn, endMembershipsOf } from '../../tenancy/groups/index.ts';
import { endMembershipsBefore, type StoredMember } from '../../tenancy/workspaces/index.ts';

/** The partition of the due index. */
export const ACCESS_CLEAN_UP_PARTITION = 'access-clean-up';

/** How long a request works on the clean-up of what it ended; the worker does the rest. */
const REQUEST_MS = 200;

/**
 * What was deleted, or who was removed. The rights end at once, the items are removed afterwards. A user is removed from the
 * company: from every workspace joined until then, with the passkeys and identities of until then.
 */
export type Ended = { workspaceId: string } & (
  | { kind: 'group'; groupId: string }
  | { kind: 'member'; userId: string; membershipId?: string | undefined }
  | { kind: 'user'; userId: string; until: string }
  | { kind: 'object'; objectType: ObjectType; objectId: string }
  /** An object that people could comment on, and that nothing else is kept of. */
  | { kind: 'subject'; type: string; id: string }
  /** A deleted model, or one generation of its parts. */
  | { kind: 'model'; modelId: string; generation?: string | undefined }
  /** A dashboard that was deleted 30 days ago, or one generation of its parts. */
  | { kind: 'dashboard'; dashboardId: string; generation?: string | undefined }
  /** A report that was deleted 30 days ago. */
  | { kind: 'report'; reportId: string }
  /** A story that was deleted 30 days ago. */
  | { kind: 'story'; storyId: string }
  /** A deleted schedule or digest, whose runs have no readers any more; `area` is that of its kind. */
  | { kind: 'delivery'; area: string; deliveryId: string }
);

/** Must be part of the transaction that ends it, so that a crash afterwards leaves nothing behind. */
export function cleanUpItem(table: Table, ended: Ended, at: Date): TransactItem {
  return {
    Put: {
      TableName: table.name,
      Item: {
        ...keyOf(ended),
        entity: 'access-clean-up',
        ended,
        due: ACCESS_CLEAN_UP_PARTITION,
        dueAt: at.toISOString(),
      },
    },
  };
}

/** Removes what is left, for a short time. An error is reported only: the worker tries again. */
export async function cleanUpNow(table: Table, ended: Ended, report: (error: Error) => void): Promise<void> {
  const until = performance.now() + REQUEST_MS;
  try {
    await cleanUp(table, ended, () => performance.now() > until);
  } catch (error) {
    report(error as Error);
  }
}

/** The same for a due item. May be repeated, and run beside another clean-up of the same. */
export async function cleanUpItemAt(table: Table, { pk, sk }: Key, isOver: () => boolean): Promise<void> {
  const found = await table.db.send(new GetCommand({ TableName: table.name, Key: { pk, sk }, ConsistentRead: true }));
  if (found.Item) await cleanUp(table, found.Item.ended as Ended, isOver);
}

async function cleanUp(table: Table, ended: Ended, isOver: () => boolean): Promise<void> {
  if (await removeRest(table, ended, isOver)) {
    await table.db.send(new DeleteCommand({ TableName: table.name, Key: keyOf(ended) }));
  }
}

async function removeRest(table: Table, ended: Ended, isOver: () => boolean): Promise<boolean> {
  const { workspaceId, kind } = ended;
  if (kind === 'object') {
    const { objectType: type, objectId: id } = ended;
    return (
      (await endGrantsOn(table, ended, isOver)) &&
      (await endSubject(table, { workspaceId, type, id }, isOver)) &&
      endItemsOf(table, ended, isOver)
    );
  }
  if (kind === 'subject') return endSubject(table, ended, isOver);
  if (kind === 'model') return endModelItems(table, ended, isOver);
  if (kind === 'dashboard') {
    const content = { type: kind, id: ended.dashboardId } as const;
    return (
      (await endDashboard(table, ended, isOver)) &&
      (await endDashboardSchedules(table, ended, isOver)) &&
      (await endSubject(table, { workspaceId, ...content }, isOver)) &&
      endShares(table, { workspaceId, content }, isOver)
    );
  }
  if (kind === 'report') {
    const content = { type: kind, id: ended.reportId } as const;
    return (
      (await endReport(table, ended, isOver)) &&
      (await endReportSchedules(table, ended, isOver)) &&
      (await endSubject(table, { workspaceId, ...content }, isOver)) &&
      endShares(table, { workspaceId, content }, isOver)
    );
  }
  if (kind === 'story') {
    const subject = { workspaceId, type: kind, id: ended.storyId };
    return (await endStory(table, ended, isOver)) && endSubject(table, subject, isOver);
  }
  if (kind === 'delivery') return endRuns(table, ended, ended, isOver);
  if (kind === 'group') {
    const grantee = { workspaceId, granteeType: 'group', granteeId: ended.groupId } as const;
    return (await endGrantsOf(table, grantee, isOver)) && endMembershipsIn(table, ended, isOver);
  }
  if (kind === 'user') return removeUser(table, ended, isOver);
  const { userId: granteeId, membershipId } = ended;
  const grantee = { workspaceId, granteeType: 'user', granteeId, membershipId } as const;
  return (
    (await endGrantsOf(table, grantee, isOver)) &&
    (await endBookmarksOf(table, ended, isOver)) &&
    (await endNotificationsOf(table, ended, isOver)) &&
    endMembershipsOf(table, ended, isOver)
  );
}

/** The comments on an object, and its followers. */
const endSubject = async (
  table: Table,
  { workspaceId, type, id }: { workspaceId: string; type: string; id: string },
  isOver: () => boolean,
): Promise<boolean> =>
  (await endComments(table, { workspaceId, type, id }, isOver)) && endFollows(table, { workspaceId, type, id }, isOver);

/** What is kept of an object in a partition of its own: of metrics, what the checks have found. */
async function endItemsOf(
  table: Table,
  { workspaceId, objectType, objectId }: Extract<Ended, { kind: 'object' }>,
  isOver: () => boolean,
): Promise<boolean> {
  if (objectType !== 'metric') return true;
  const items = itemsBelow(table, workspaceKey(workspaceId, `METRIC#${objectId}`, ''));
  return deleteItems(
    table,
    await Array.fromAsync(items, ({ pk, sk }) => ({ pk: pk as string, sk: sk as string })),
    isOver,
  );
}

/** Each membership leaves a clean-up of its own, which is worked on at once as far as the time allows. */
async function removeUser(
  table: Table,
  ended: { userId: string; until: string },
  isOver: () => boolean,
): Promise<boolean> {
  const memberships: Ended[] = [];
  const left = ({ workspaceId, userId, membershipId }: StoredMember): TransactItem[] => {
    const member: Ended = { kind: 'member', workspaceId, userId, membershipId };
    memberships.push(member);
    return [cleanUpItem(table, member, table.now())];
  };
  const isDone = await endMembershipsBefore(table, ended, left, isOver);
  for (const member of memberships) if (!isOver()) await cleanUp(table, member, isOver);
  return (await endPasskeys(table, ended, isOver)) && (await endIdentities(table, ended, isOver)) && isDone;
}

function keyOf(ended: Ended): Key {
  return workspaceKey(ended.workspaceId, 'ACCESS-CLEAN-UP', `${ended.kind}#${idOf(ended)}`);
}

function idOf(ended: Ended): string {
  if (ended.kind === 'group') return ended.groupId;
  if (ended.kind === 'object') return `${ended.objectType}#${ended.objectId}`;
  if (ended.kind === 'subject') return `${ended.type}#${ended.id}`;
  if (ended.kind === 'model') return `${ended.modelId}#${ended.generation ?? ''}`;
  if (ended.kind === 'dashboard') return `${ended.dashboardId}#${ended.generation ?? ''}`;
  if (ended.kind === 'report') return ended.reportId;
  if (ended.kind === 'story') return ended.storyId;
  if (ended.kind === 'delivery') return `${ended.area}#${ended.deliveryId}`;
  if (ended.kind === 'user') return ended.userId;
  return `${ended.userId}#${ended.membershipId ?? ''}`;
}

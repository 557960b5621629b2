import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import { queryItems } from '../../../platform/storage/query-items.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { followKey } from './keys.ts';
import type { Follow, FollowState, NotifiedPerson, SubjectRef } from './records.ts';

export interface Follows {
  /**
   * What people have chosen, by user id; a hundred cost one read. The choice of an earlier membership does not count.
   */
  read(people: readonly NotifiedPerson[], subject: SubjectRef): Promise<Map<string, Follow>>;
  /** What the person has chosen about subjects of one type, by their ids; a hundred cost one read. */
  ofPerson(person: NotifiedPerson, type: string, ids: readonly string[]): Promise<Map<string, Follow>>;
  /** Sets what the person has chosen; following also brings the mails back. */
  set(person: NotifiedPerson, subject: SubjectRef, state: FollowState): Promise<void>;
  /** Lets people follow what they have written or own. It happens once: a choice of their own stays. */
  begin(people: readonly NotifiedPerson[], subject: SubjectRef): Promise<void>;
  /** Ends the mails about the subject, as the link in them does. Only the person brings them back, by following. */
  unsubscribe(person: NotifiedPerson, subject: SubjectRef): Promise<void>;
  /** The next followers in order of their ids, without checking whether they are still members. */
  list(workspaceId: string, subject: SubjectRef, page: { after: string; limit: number }): Promise<Follow[]>;
}

export function follows(table: Table): Follows {
  const write = async (
    { workspaceId, userId, membershipId }: NotifiedPerson,
    subject: SubjectRef,
    choice: Pick<Follow, 'state' | 'noMail'>,
    condition: Condition = {},
  ) => {
    const follow: Follow = { userId, membershipId, ...choice, changedAt: table.now().toISOString() };
    const Item = { ...follow, ...followKey(workspaceId, subject, userId), entity: 'follow' };
    await ifHolds(table.db.send(new PutCommand({ TableName: table.name, Item, ...condition })));
  };

  return {
    async read(people, subject) {
      const members = new Map(people.map((person) => [person.userId, person]));
      const keys = [...members.values()].map(({ workspaceId, userId }) => followKey(workspaceId, subject, userId));
      const found = (await readItems(table, keys)).map((item) => toRecord<Follow>(item));
      return new Map(
        found
          .filter(({ userId, membershipId }) => members.get(userId)!.membershipId === membershipId)
          .map((follow) => [follow.userId, follow]),
      );
    },

    async ofPerson({ workspaceId, userId, membershipId }, type, ids) {
      const byKey = new Map(ids.map((id) => [followKey(workspaceId, { type, id }, userId).pk, id]));
      const keys = ids.map((id) => followKey(workspaceId, { type, id }, userId));
      const found = (await readItems(table, keys)).map(
        (item) => [byKey.get(item.pk as string)!, toRecord<Follow>(item)] as const,
      );
      return new Map(found.filter(([, follow]) => follow.membershipId === membershipId));
    },

    set: (person, subject, state) => write(person, subject, { state }),

    async begin(people, subject) {
      await Promise.all(
        people.map((person) => write(person, subject, { state: 'following' }, notChosen(person.membershipId))),
      );
    },

    unsubscribe: (person, subject) => write(person, subject, { state: 'unfollowed', noMail: true }),

    async list(workspaceId, subject, { after, limit }) {
      const { pk } = followKey(workspaceId, subject, '');
      const query = {
        KeyConditionExpression: 'pk = :pk AND sk > :after',
        FilterExpression: '#state = :following',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':pk': pk, ':after': after || FIRST, ':following': 'following' },
        ConsistentRead: true,
      };
      const found: Follow[] = [];
      for await (const item of queryItems(table, query)) {
        found.push(toRecord<Follow>(item));
        if (found.length === limit) break;
      }
      return found;
    },
  };
}

/** Before every user id. */
const FIRST = '#';

interface Condition {
  ConditionExpression?: string;
  ExpressionAttributeValues?: Record<string, unknown>;
}

/** Holds unless the person has made a choice under this membership. */
function notChosen(membershipId: string | undefined): Condition {
  return membershipId === undefined
    ? { ConditionExpression: 'attribute_not_exists(pk) OR attribute_exists(membershipId)' }
    : {
        ConditionExpression:
          'attribute_not_exists(pk) OR attribute_not_exists(membershipId) OR membershipId <> :membership',
        ExpressionAttributeValues: { ':membership': membershipId },
      };
}

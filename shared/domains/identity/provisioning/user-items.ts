import type { ErrorCode } from '../../../platform/errors/catalogue.ts';
import { later, newId } from '../../../platform/storage/ids.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { isEmailAddress } from '../../../platform/text/email-address.ts';
import {
  addressChangeTo,
  directoryChanged,
  directoryKey,
  emailKey,
  listedUser,
  listUser,
  putMember,
  SECOND_FACTOR,
  type UserRecord,
  userRecordKey,
  type WorkspaceRecord,
} from '../../tenancy/workspaces/index.ts';
import { contactKey, externalIdKey, profileKey, userNameKey } from './keys.ts';
import type { Profile, ProvisionedUser, WantedUser } from './records.ts';

/** An item of a transaction, and the error if its condition does not hold. */
export interface Part {
  item: TransactItem;
  failed?: { code: ErrorCode; detail?: string };
}

/** A transaction, and the user as it leaves it. */
export interface Written {
  parts: Part[];
  written: ProvisionedUser;
}

const STALE = { code: 'STALE_WRITE' } as const;
const folded = (text: string): string => emailKey(text).sk;

/** What a user loses with the account in the company: another person may get the same address. */
const CREDENTIALS = [
  'passwordHash',
  'passwordSetBy',
  'hasOwnPassword',
  'addressChange',
  'passkeys',
  ...SECOND_FACTOR,
] as const;

/** The transactions that an identity provider causes for a user; every one of them is all or nothing. */
export function userItems(table: Table) {
  const put = (Item: Record<string, unknown>): TransactItem => ({ Put: { TableName: table.name, Item } });
  const remove = (Key: Key): TransactItem => ({ Delete: { TableName: table.name, Key } });

  /** Takes a unique value, also from a removed user. */
  const claim = (key: Key, owner: string, what: string): Part => ({
    item: {
      Put: {
        TableName: table.name,
        Item: { ...key, entity: 'unique', owner },
        ConditionExpression: 'attribute_not_exists(pk) OR #owner = :owner OR attribute_exists(vacant)',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: { ':owner': owner },
      },
    },
    failed: { code: 'SCIM_UNIQUENESS', detail: `Another user has this ${what}.` },
  });

  const claimName = (user: UserRecord, userName: string): Part[] => [
    ...(isEmailAddress(userName) ? [claim(emailKey(userName), user.id, 'userName')] : []),
    claim(userNameKey(user.companyId, userName), user.id, 'userName'),
  ];

  function renamed(user: UserRecord, userName: string): Part[] {
    if (folded(user.email) === folded(userName)) return claimName(user, userName);
    return [
      ...claimName(user, userName),
      ...(isEmailAddress(user.email) ? [{ item: remove(emailKey(user.email)) }] : []),
      { item: remove(userNameKey(user.companyId, user.email)) },
    ];
  }

  function nextProfile(seen: Profile | undefined, { externalId, resource, contacts }: WantedUser, at: string): Profile {
    return {
      resource,
      externalId,
      contacts: [...new Set(contacts.map(folded))],
      createdAt: seen?.createdAt ?? at,
      updatedAt: at,
      revision: (seen?.revision ?? 0) + 1,
    };
  }

  function profileParts(user: UserRecord, seen: Profile | undefined, profile: Profile): Part[] {
    const { externalId, contacts } = profile;
    const stored = put({ ...profile, ...profileKey(user.id), entity: 'scim-profile' }).Put!;
    const condition = seen
      ? { ConditionExpression: 'revision = :seen', ExpressionAttributeValues: { ':seen': seen.revision } }
      : { ConditionExpression: 'attribute_not_exists(pk)' };
    const contact = (email: string) => contactKey(user.companyId, email, user.id);
    return [
      { item: { Put: { ...stored, ...condition } }, failed: STALE },
      ...externalIdParts(user, seen?.externalId ?? null, externalId),
      ...contacts
        .filter((email) => !seen?.contacts.includes(email))
        .map((email) => ({ item: put({ ...contact(email), entity: 'user-contact' }) })),
      ...(seen?.contacts ?? [])
        .filter((email) => !contacts.includes(email))
        .map((email) => ({ item: remove(contact(email)) })),
    ];
  }

  const listed = (user: UserRecord): Part[] => [
    { item: listUser(table, user) },
    { item: directoryChanged(table, user) },
  ];

  function externalIdParts({ companyId, id }: UserRecord, before: string | null, after: string | null): Part[] {
    if (before === after) return [];
    return [
      ...(after === null ? [] : [claim(externalIdKey(companyId, after), id, 'externalId')]),
      ...(before === null ? [] : [{ item: remove(externalIdKey(companyId, before)) }]),
    ];
  }

  /**
   * `isEnding` ends all sign-ins and API keys with the same write. What decides whether a new address is trusted must
   * be as it was read.
   */
  function userUpdate(
    user: UserRecord,
    set: Partial<UserRecord & ReturnType<typeof listedUser>>,
    at: string,
    isEnding: boolean,
    gone: string[],
  ): Part {
    const ended = isEnding ? { signInEpoch: newId(), credentialsEndedAt: at } : {};
    return {
      item: {
        Update: updateOf(
          table,
          userRecordKey(user.id),
          {
            set: { ...set, ...ended, updatedAt: at },
            remove: isEnding ? ['keptSessionId', ...gone] : gone,
            revise: true,
          },
          { revision: user.revision ?? 1, ...asRead(user) },
        ),
      },
      failed: STALE,
    };
  }

  return {
    /** A new account with the wanted name, and a seat in the workspace. */
    create(user: UserRecord, wanted: WantedUser, workspace: WorkspaceRecord): Written {
      const item = put({ ...user, ...userRecordKey(user.id), ...listedUser(user), entity: 'user' }).Put!;
      const profile = nextProfile(undefined, wanted, user.createdAt);
      const parts: Part[] = [
        { item: { Put: { ...item, ConditionExpression: 'attribute_not_exists(pk)' } }, failed: STALE },
        ...claimName(user, wanted.userName),
        ...profileParts(user, undefined, profile),
        ...listed(user),
        ...seat(user, workspace, user.createdAt),
      ];
      return { parts, written: { user, profile } };
    },

    /** With `isHeld`, a user who becomes inactive only seems so to the identity provider (see `UserRecord.heldAt`). */
    change({ user, profile }: ProvisionedUser, wanted: WantedUser, now: Date, { isHeld = false } = {}): Part[] {
      const at = later(user.updatedAt, now);
      const { userName: email, name, isActive } = wanted;
      const addressChange = addressChangeTo(user, email);
      const active = isActive || isHeld;
      const isEnding = user.active && !isActive && !(isHeld && user.heldAt);
      const held = isHeld ? { heldAt: user.heldAt ?? at } : {};
      const gone = [
        ...(isHeld || user.heldAt === undefined ? [] : ['heldAt']),
        ...(addressChange === undefined ? ['addressChange'] : []),
      ];
      return [
        userUpdate(user, { email, name, active, addressChange, ...held, ...listedUser(user) }, at, isEnding, gone),
        ...profileParts(user, profile, nextProfile(profile, wanted, at)),
        ...renamed(user, email),
      ];
    },

    /** A removed user comes back under the same id, without any credential of before. */
    restore(user: UserRecord, wanted: WantedUser, workspace: WorkspaceRecord, now: Date): Written {
      const at = later(user.removedAt ?? user.updatedAt, now);
      const { userName: email, name, isActive: active } = wanted;
      const profile = nextProfile(undefined, wanted, at);
      const parts: Part[] = [
        userUpdate(user, { email, name, active, identitiesEndedAt: user.removedAt, ...listedUser(user) }, at, false, [
          'removedAt',
          'passkeys',
        ]),
        ...claimName(user, email),
        ...profileParts(user, undefined, profile),
        ...listed(user),
        ...seat(user, workspace, at, { email, name }),
      ];
      return { parts, written: { user: { ...user, email, name, active, updatedAt: at }, profile } };
    },

    /** The account ends, and gives its names free. `until` is when: memberships of later are not affected. */
    remove({ user, profile }: ProvisionedUser, now: Date): { parts: Part[]; until: string } {
      const until = later(user.updatedAt, now);
      const { id, companyId, email, createdAt } = user;
      const parts: Part[] = [
        userUpdate(
          user,
          { active: false, companyRole: 'member', removedAt: until, identitiesEndedAt: until },
          until,
          true,
          [...CREDENTIALS, 'heldAt'],
        ),
        { item: remove(profileKey(id)) },
        { item: remove(directoryKey(companyId, createdAt, id)) },
        { item: directoryChanged(table, user) },
        { item: put({ ...userNameKey(companyId, email), entity: 'unique', owner: id, vacant: true }) },
        ...(isEmailAddress(email) ? [{ item: remove(emailKey(email)) }] : []),
        ...externalIdParts(user, profile?.externalId ?? null, null),
        ...(profile?.contacts ?? []).map((address) => ({ item: remove(contactKey(companyId, address, id)) })),
      ];
      return { parts, until };
    },

    seat,

    /** The same in a transaction that does not write the user: it fails if the user has been removed. */
    seatOfExisting: (user: UserRecord, workspace: WorkspaceRecord, joinedAt: string): Part[] => [
      ...seat(user, workspace, joinedAt),
      {
        item: {
          ConditionCheck: {
            TableName: table.name,
            Key: userRecordKey(user.id),
            ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(removedAt)',
          },
        },
        failed: STALE,
      },
    ],
  };

  /** The seat of a viewer in the workspace. */
  function seat(
    { id: userId, ...user }: UserRecord,
    workspace: WorkspaceRecord,
    joinedAt: string,
    { email, name }: Pick<UserRecord, 'email' | 'name'> = user,
  ): Part[] {
    const member = { membershipId: newId(), workspaceId: workspace.id, userId, email, name, role: 'viewer' } as const;
    return putMember(table, { ...member, joinedAt, revision: 1 }, workspace.name).map((item) => ({
      item,
      ...('Put' in item && item.Put?.ConditionExpression ? { failed: STALE } : {}),
    }));
  }
}

/** The members of the account on which a change relies. */
function asRead({ removedAt, companyRole, passwordHash, passwordSetBy }: UserRecord) {
  const seen = { removedAt, companyRole, passwordHash, passwordSetBy };
  const absent = Object.entries(seen).flatMap(([name, value]) => (value === undefined ? [name] : []));
  return { equals: seen, absent };
}

export type UserItems = ReturnType<typeof userItems>;
